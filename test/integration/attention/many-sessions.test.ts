// Ten sessions that wait are one notification, through the real hook and dispatcher, on a real notification daemon.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startDesktop, type DesktopSession } from "../../support/desktop/desktop-session.ts";
import { describeWithParts } from "../../support/parts.ts";
import { temporaryProject } from "../../support/project/running-project.ts";

const payloads = join(import.meta.dirname, "../../agents/known/claude-code/payloads");

/** As Claude Code sent it, but from another session and folder. */
function captured(name: string, session: number): string {
  const payload = JSON.parse(readFileSync(join(payloads, `${name}.json`), "utf8")) as Record<string, unknown>;
  return JSON.stringify({
    ...payload,
    session_id: `00000000-0000-4000-8000-00000000000${session}`,
    cwd: `/srv/p${session}`,
  });
}

const numbers = Array.from({ length: 10 }, (_, index) => index);

describeWithParts("ten sessions that wait", ["dbus-daemon", "Xvfb", "dunst", "dunstctl", "dbus-monitor"], () => {
  let desktop: DesktopSession;
  beforeAll(async () => {
    desktop = await startDesktop("dunst");
  });
  afterAll(async () => {
    await desktop.stop();
  });

  it("are one notification with ten lines, newest first, which gets shorter with each answer", async () => {
    const project = temporaryProject();
    const calls = await desktop.watchCalls();
    const hook = async (name: string, session: number): Promise<void> => {
      await project.hook(captured(name, session), ["--agent", "claude-code"], desktop.env);
    };
    const displayed = (): string => desktop.run("dunstctl", "count", "displayed").trim();
    /** The projects in the list that was shown last. */
    const listed = (): string[] => {
      const last = calls().split("member=Notify").at(-1) ?? "";
      return [...last.matchAll(/^(?:\s*string ")?(p\d) \(\d\d:\d\d\)/gm)].map(([, name = ""]) => name);
    };
    const becomes = async (sessions: readonly number[]): Promise<void> => {
      const expected = sessions
        .map((session) => `p${session}`)
        .toReversed()
        .join(" ");
      await project.until(`the list ${expected}, not ${listed().join(" ")}`, () => listed().join(" ") === expected);
      await project.until("one notification", () => displayed() === "1");
    };

    for (const session of numbers) {
      await hook("Notification-permission-prompt", session);
      const count = session + 1;
      await project.until(
        `${count} on record`,
        () => project.journal().filter(({ kind }) => kind === "event").length === count,
      );
    }
    await becomes(numbers);
    expect(calls()).toContain("10 sessions wait for you");

    await hook("PostToolUse-Bash", 0);
    await becomes(numbers.slice(1));
    await hook("UserPromptSubmit", 5);
    await becomes(numbers.filter((each) => each !== 0 && each !== 5));
    for (const session of numbers.filter((each) => each !== 0 && each !== 5)) await hook("PostToolUse-Bash", session);
    await project.until("an empty screen", () => displayed() === "0");
  });
});
