// What Codex keeps of the hooks that a person has approved, and what doctor says once one of them has changed.
import { expect, it } from "vitest";
import { installAgentCli } from "../support/agents/agent-cli.ts";
import { interactiveArgs, startAgentSession } from "../support/agents/agent-session.ts";
import { startAgentTerminal, terminalParts } from "../support/agents/agent-terminal.ts";
import { inTerminal } from "../support/agents/in-terminal.ts";
import { describeWithParts } from "../support/parts.ts";

describeWithParts("the hooks of Codex", terminalParts, () => {
  it("are approved by the person, and changed ones are found", async () => {
    const { recipe, start } = inTerminal.codex;
    const session = await startAgentSession(recipe);
    const { project, cwd, env } = session;
    await session.install("init");
    const program = await installAgentCli(recipe.clis[0]);
    const terminal = startAgentTerminal(project.home, [program, ...interactiveArgs(session, recipe)], { cwd, env });
    await start(terminal, true);
    expect(session.read(".codex/config.toml")).toContain("trusted_hash");
    const findings = async (): Promise<string> => (await project.run(["doctor"])).stdout;
    expect(await findings()).toContain("Codex: its hooks call this hookbell");
    expect(await findings()).not.toMatch(/approved/);
    // What answers from elsewhere change of the hook for questions.
    const hooks = session.read(".codex/hooks.json") ?? "";
    const [before = ""] = /"PermissionRequest": [^]*?"timeout": 10/.exec(hooks) ?? [];
    const after = before.replace("--agent codex", "--agent codex --answer").replace("10", "600");
    session.write(".codex/hooks.json", hooks.replace(before, after));
    expect(await findings()).toMatch(/not as you approved them: PermissionRequest\n/);
  }, 120_000);
});
