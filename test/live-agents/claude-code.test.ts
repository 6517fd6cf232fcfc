import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { installAgentCli } from "../support/agents/agent-cli.ts";
import { claudeCode } from "../agents/known/claude-code/recipe.ts";
import { startAgentSession, type AgentSession, type Received } from "../support/agents/agent-session.ts";
import { promptFor } from "../support/agents/pretend-model.ts";
import { dispatcherPid, openDescriptors } from "../support/project/dispatcher-process.ts";

const settings = ".claude/settings.json";
const [cli] = claudeCode.clis;
let program = "";

beforeAll(async () => {
  program = await installAgentCli(cli);
});

/** Someone's own hook, with a layout that no program would write. */
function othersSettings({ project }: AgentSession): string {
  const command = JSON.stringify(`touch ${join(project.home, "others-hook-ran")}`);
  return `{ "model":"opus",\n\t"hooks": {"Stop":[ {"hooks":[{"type":"command", "command":${command}}]} ]}, "x": [1,\n2] }`;
}

/** What Claude Code itself wrote down about its hooks at the end of a turn. */
function stopHookSummaries({ read, project }: AgentSession, received: Received[]): unknown[] {
  const path = String(received[0]?.payload.transcript_path).replace(`${project.home}/`, "");
  const lines = (read(path) ?? "").split("\n").filter((line) => line.includes('"stop_hook_summary"'));
  return lines.map((line) => JSON.parse(line) as unknown);
}

describe(`Claude Code ${cli.version}`, () => {
  it.each([
    ["without settings", () => undefined],
    ["with someone's own hook", othersSettings],
  ])("tells of a turn once, in silence, and is left as it was: %s", async (_name, before) => {
    const session = await startAgentSession(claudeCode);
    const original = before(session);
    if (original !== undefined) session.write(settings, original);
    await session.install("init");

    const ended = await session.run(program, promptFor({ say: "The shop sells again." }));
    expect(ended).toEqual({ code: 0, signal: null, stdout: "The shop sells again.\n", stderr: "" });

    const received = await session.settled();
    const { session: id } = received[0]?.event ?? {};
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    const common = { agent: "claude-code", session: id, cwd: session.cwd, project: "shop-web" };
    expect(received.map(({ event }) => event)).toEqual([
      expect.objectContaining({ ...common, name: "UserPromptSubmit" }),
      expect.objectContaining({ ...common, name: "Stop", message: "The shop sells again.", level: "success" }),
      expect.objectContaining({ ...common, name: "SessionEnd", reason: "other" }),
    ]);
    expect(new Set(received.map(({ deliveryId }) => deliveryId)).size).toBe(3);
    expect(stopHookSummaries(session, received)).toMatchObject([
      { hookCount: original === undefined ? 1 : 2, hasOutput: false, hookErrors: [], preventedContinuation: false },
    ]);
    expect(existsSync(join(session.project.home, "others-hook-ran"))).toBe(original !== undefined);

    await session.install("uninstall");
    expect(session.read(settings)).toBe(original);
  });

  it.each([500, 401])(
    "tells of a turn that failed with %i before the session's end, and of none that is done",
    async (status) => {
      const session = await startAgentSession(claudeCode);
      await session.install("init");
      const ended = await session.run(program, promptFor({ failWith: status }));
      expect(ended).toMatchObject({ code: 1, stderr: "" });
      // Headless, it may end the StopFailure hook's processes a few milliseconds after it has started them: then the
      // transcript tells.
      const names = (await session.settled()).map(({ event }) => event.name);
      expect(names).toEqual(["UserPromptSubmit", "StopFailure", "SessionEnd"]);
    },
  );

  it("does not wait for a receiver that never answers", async () => {
    const session = await startAgentSession(claudeCode);
    session.receiver.behave("hangAfterReading");
    await session.install("init");
    const ended = await session.run(program, promptFor({ say: "Done." }));
    expect(ended).toEqual({ code: 0, signal: null, stdout: "Done.\n", stderr: "" });
    await session.project.until("the first request", () => session.receiver.requests.length > 0);
    // The agent is gone, and what it set off is still at work.
    expect(session.project.journal().filter(({ kind }) => kind === "attempt")).toEqual([]);
    expect(openDescriptors(dispatcherPid(session.project))).toEqual(["/dev/null", "/dev/null", "/dev/null"]);
  });
});
