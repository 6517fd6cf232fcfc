import { describe, expect, it } from "vitest";
import { agents } from "../../src/agents/index.ts";
import { addChannelCommand } from "../../src/commands/channels/add/add.ts";
import { requirePerson } from "../../src/console/require-person.ts";
import { ensureLayout, layoutOf } from "../../src/outbox/layout.ts";
import { type SessionRecord, writeSession } from "../../src/outbox/sessions.ts";
import type { ProcessInChain } from "../../src/system/process/identity.ts";
import { openQuestion } from "../answers/sample.ts";
import { inChain } from "../answers/chain.ts";
import { commandIo } from "../support/project/command-io.ts";
import { recordOf } from "../support/project/session-record.ts";
import { temporaryFolder } from "../support/project/temporary-state.ts";

const requireFor = (env: Record<string, string>, chain?: ProcessInChain[], platform: NodeJS.Platform = "linux"): void =>
  requirePerson("answer", commandIo(temporaryFolder(), { env, platform, ...(chain && { ancestry: () => chain }) }));

const shell = inChain("bash", { leadsSession: true, leadsGroup: true });
const window = inChain("gnome-terminal-server", { terminal: "" });

describe("a command that grants a right", () => {
  it.each(agents.flatMap(({ name, variables }) => variables.ofCommands.map((variable) => [variable, name])))(
    "is refused where %s is set",
    (variable, name) => {
      const io = commandIo(temporaryFolder(), { env: { [variable]: "1" } });
      expect(() => requirePerson("answer", io)).toThrow(`${name} runs this command (${variable} is set)`);
    },
  );

  it("is one that adds a channel with answers", async () => {
    const add = (env: Record<string, string>): Promise<unknown> => {
      const home = temporaryFolder();
      const args = ["desktop", "--set", "answers=true", "--events", "attention", "--yes", "--no-test"];
      return addChannelCommand(args, commandIo(home, { env: { HOME: home, PATH: "", ...env } }));
    };
    expect(await add({})).toBe(0);
    await expect(add({ OPENCODE: "1" })).rejects.toThrow("opencode runs this command (OPENCODE is set)");
  });

  it("is the person's in a shell, in a shell within it, and in a terminal that ran it at once", () => {
    expect(() => requireFor({}, [inChain("node"), shell, window])).not.toThrow();
    expect(() => requireFor({}, [inChain("node"), inChain("sudo"), inChain("zsh"), shell, window])).not.toThrow();
    expect(() => requireFor({}, [inChain("node", { leadsSession: true }), window])).not.toThrow();
    expect(() => requireFor({}, [], "win32")).not.toThrow();
  });

  it.each([
    ["without a terminal", [inChain("node", { terminal: "" }), { ...shell, hasTerminal: false, device: undefined }]],
    ["whose parents have ended", [inChain("node"), inChain("systemd", { terminal: "", leadsSession: true })]],
    ["whose parents have ended, in a container", [inChain("node"), inChain("sh")]],
    ["below another terminal's shell", [inChain("node"), { ...shell, device: "/dev/pts/8" }]],
    ["whose processes cannot be seen", []],
  ])("is refused to a process %s", (_what, chain) => {
    expect(() => requireFor({}, chain)).toThrow(
      "needs a terminal in which a person has started it, so that no agent can grant this",
    );
  });

  it("is refused to a process that the agent of a known session has started, and not to the person in that terminal", () => {
    const home = temporaryFolder();
    const [agent, node] = [inChain("claude"), inChain("node")];
    const io = commandIo(home, { env: { HOME: home }, ancestry: () => [node, agent, shell] });
    const record = (more: Partial<SessionRecord>): void =>
      writeSession(layoutOf(io.places.stateDir), recordOf({ agent: "claude-code", session: "s1", ...more }));
    const { pid, start } = agent;
    ensureLayout(layoutOf(io.places.stateDir));
    for (const known of [
      { terminal: { device: "/dev/pts/3", pid, start } },
      { process: { pid, start } },
      { earlierProcesses: [{ pid, start }] },
    ]) {
      record(known);
      expect(() => requirePerson("keys", io)).toThrow("Claude Code runs this command, and no agent may do that");
      record({ ...known, host: "web1" });
      expect(() => requirePerson("keys", io)).not.toThrow();
    }
    record({ terminal: { device: "/dev/pts/3", pid: shell.pid, start: shell.start } });
    expect(() => requirePerson("keys", io)).not.toThrow();
  });

  it("is not refused for a recorded process from which every program descends", () => {
    const home = temporaryFolder();
    const init = { ...inChain("init", { terminal: "" }), pid: 1, parentPid: 0 };
    const manager = inChain("systemd", { terminal: "", leadsSession: true });
    const io = commandIo(home, { env: { HOME: home }, ancestry: () => [inChain("node"), shell, manager, init] });
    const layout = layoutOf(io.places.stateDir);
    ensureLayout(layout);
    for (const { pid, start } of [init, manager]) {
      writeSession(layout, recordOf({ agent: "claude-code", session: "s1", process: { pid, start } }));
      openQuestion(layout, { asker: [{ pid, start }] });
      expect(() => requirePerson("keys", io)).not.toThrow();
    }
  });

  it("is refused to a process that an asking agent has started, and not to one with a dead one's id", () => {
    const home = temporaryFolder();
    const agent = inChain("claude");
    const io = commandIo(home, { env: { HOME: home }, ancestry: () => [inChain("node"), agent, shell] });
    const layout = layoutOf(io.places.stateDir);
    openQuestion(layout, { asker: [{ pid: agent.pid, start: "another" }] });
    expect(() => requirePerson("answer", io)).not.toThrow();
    openQuestion(layout, { asker: [{ pid: agent.pid, start: agent.start }] });
    expect(() => requirePerson("answer", io)).toThrow("the agent that asks runs this command");
  });
});
