import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, beforeEach, expect, it, onTestFinished } from "vitest";
import { listQuestions, type Question } from "../../../src/answers/questions.ts";
import { startDesktop, type DesktopSession } from "../../support/desktop/desktop-session.ts";
import { describeWithParts } from "../../support/parts.ts";
import { temporaryProject, type Project } from "../../support/project/running-project.ts";
import { askHook, decisionOf, onlyQuestion } from "./asking.ts";

const parts = ["dbus-daemon", "Xvfb", "notification-daemon", "xdotool"];
const rules = {
  answers: { allow: ["Bash(touch *)"], hold: "always" },
  channels: { screen: { type: "desktop", answers: true } },
  rules: [{ name: "asks", when: { event: "PermissionRequest" }, notify: ["screen"] }],
};
/** From the right edge of the window; the row of buttons is so far above its lower edge. */
const buttons = { Allow: 137, Deny: 81 };
const buttonRow = 39;

describeWithParts("buttons on a real desktop", parts, () => {
  let desktop: DesktopSession;
  beforeEach(async () => {
    desktop = await startDesktop("notification-daemon");
  });
  afterEach(async () => {
    await desktop.stop();
  });

  const windows = (): string[] =>
    desktop
      .run("xdotool", "search", "--onlyvisible", "--class", "notification-daemon")
      .split("\n")
      .filter((line) => /^\d+$/.test(line));

  const geometry = (): string => desktop.run("xdotool", "getwindowgeometry", "--shell", windows()[0] ?? "");

  const click = (button: keyof typeof buttons): void => {
    const shown = geometry();
    const numberOf = (name: string): number => Number(new RegExp(`^${name}=(\\d+)$`, "m").exec(shown)?.[1]);
    const x = numberOf("X") + numberOf("WIDTH") - buttons[button];
    const y = numberOf("Y") + numberOf("HEIGHT") - buttonRow;
    desktop.run("xdotool", "mousemove", "--sync", String(x), String(y), "click", "1");
  };

  const ask = async (project: Project): Promise<ReturnType<typeof askHook>> => {
    project.writeRules(rules);
    const hook = askHook(project, "touch made", desktop.env);
    await project.until("the buttons", () => onlyQuestion(project)?.shown.length === 1);
    // The daemon lays the window out after it has made it.
    await project.until("the window", () => windows().length === 1 && /^HEIGHT=\d{3}$/m.test(geometry()));
    return hook;
  };

  it.each([
    ["Allow", "allow", undefined],
    ["Deny", "deny", "The user denied this."],
  ] as const)("answers by a click on %s, and goes", async (button, behavior, message) => {
    const project = temporaryProject();
    const { ended } = await ask(project);
    const clicking = setInterval(() => click(button), 500);
    const { code, stdout, stderr } = await ended.finally(() => clearInterval(clicking));
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toEqual(decisionOf(behavior, message));
    await project.until("an empty screen", () => windows().length === 0);
    await project.until("no question", () => onlyQuestion(project) === undefined);
  });

  it("takes a click beside the buttons for no answer", async () => {
    const project = temporaryProject();
    const { child, ended } = await ask(project);
    await project.until("the click", () => {
      desktop.run("xdotool", "mousemove", "--window", windows()[0] ?? "", "9", "9", "click", "1");
      return project.journal().some(({ verdict }) => verdict === "clicked");
    });
    await project.until("an empty screen", () => windows().length === 0);
    expect(project.journal().filter(({ kind }) => kind === "answer")).toEqual([]);
    expect(onlyQuestion(project)).toBeDefined();
    child.kill("SIGTERM");
    expect(await ended).toMatchObject({ code: 0, stdout: "", stderr: "" });
  });
});

describeWithParts(
  "a program on the bus",
  ["dbus-daemon", "dbus-monitor", "dbus-send", "Xvfb", "dunst", "dunstctl"],
  () => {
    it("answers nothing, although it sees the buttons' numbers and says that one was pressed", async () => {
      const desktop = await startDesktop("dunst");
      onTestFinished(desktop.stop);
      const monitor = spawn("dbus-monitor", ["--session", "member='Notify'"], {
        env: { ...process.env, ...desktop.env },
      });
      onTestFinished(() => void monitor.kill());
      let heard = "";
      monitor.stdout.on("data", (chunk: Buffer) => (heard += chunk.toString()));
      await once(monitor.stdout, "data");
      const project = temporaryProject();
      project.writeRules(rules);
      const { child, ended } = askHook(project, "touch made", desktop.env);
      const label = /string "([^"]+)"\s+string "Allow"/;
      await project.until("the question", () => onlyQuestion(project)?.shown.length === 1 && label.test(heard));
      const id = /as (\d+)/.exec(String(project.journal().find(({ kind }) => kind === "attempt")?.detail))?.[1] ?? "";
      const forge = (member: string, second: string): string =>
        desktop.run("dbus-send", "--session", "--type=signal", ...serviceOf(member), `uint32:${id}`, second);
      forge("ActionInvoked", `string:${label.exec(heard)?.[1]}`);
      forge("NotificationClosed", "uint32:2");
      // By the time the next question is shown, the dispatcher has heard of both.
      const next = askHook(project, "touch next", desktop.env);
      const asked = (): Question | undefined => listQuestions(project.layout).find(({ text }) => text.includes("next"));
      await project.until("the next question", () => asked()?.shown.length === 1);
      expect(project.journal().filter(({ kind }) => kind === "answer")).toEqual([]);
      expect(listQuestions(project.layout)).toHaveLength(2);
      next.child.kill("SIGTERM");
      await next.ended;
      child.kill("SIGTERM");
      expect(await ended).toMatchObject({ code: 0, stdout: "", stderr: "" });
    });
  },
);

const serviceOf = (member: string): string[] => [
  "/org/freedesktop/Notifications",
  `org.freedesktop.Notifications.${member}`,
];

describeWithParts("a question on a real desktop", ["dbus-daemon", "Xvfb", "dunst", "dunstctl"], () => {
  it("goes when the terminal has answered", async () => {
    const desktop = await startDesktop("dunst");
    onTestFinished(desktop.stop);
    const project = temporaryProject();
    project.writeRules(rules);
    const { child, ended } = askHook(project, "touch made", desktop.env);
    const displayed = (): string => desktop.run("dunstctl", "count", "displayed").trim();
    await project.until("the question", () => onlyQuestion(project)?.shown.length === 1 && displayed() === "1");
    child.kill("SIGTERM");
    expect(await ended).toMatchObject({ code: 0, stdout: "", stderr: "" });
    await project.until("an empty screen", () => displayed() === "0");
  });
});
