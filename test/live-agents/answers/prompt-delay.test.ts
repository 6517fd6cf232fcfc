// How soon an agent's own dialog is in its terminal, with a hook of hookbell that holds the question and without any hook.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { installAgentCli } from "../../support/agents/agent-cli.ts";
import { interactiveArgs, startAgentSession } from "../../support/agents/agent-session.ts";
import { startAgentTerminal, terminalParts } from "../../support/agents/agent-terminal.ts";
import { inTerminal, type InTerminal } from "../../support/agents/in-terminal.ts";
import { promptFor } from "../../support/agents/pretend-model.ts";
import { describeWithParts } from "../../support/parts.ts";

const agents: InTerminal[] = [inTerminal["claude-code"], inTerminal.opencode];
const rounds = 10;
const lookEveryMs = 10;

/** Asks once, and resolves with the milliseconds from the model's answer to the dialog on the screen. */
async function sitDown({ recipe, start, question }: InTerminal, program: string, hasHooks: boolean) {
  const session = await startAgentSession(recipe);
  const { project, cwd, model } = session;
  project.writeRules({
    answers: { allow: ["Bash(touch *)", "bash(touch *)"], hold: "always" },
    channels: { phone: { type: "webhook", url: `${session.receiver.origin}/events` } },
    rules: [{ name: "all", notify: ["phone"] }],
  });
  if (hasHooks) await session.install("init");
  const argv = [program, ...interactiveArgs(session, recipe)];
  const terminal = startAgentTerminal(project.home, argv, { cwd, env: session.env });
  await start(terminal, true);
  let round = 0;
  return async (): Promise<number> => {
    round += 1;
    const name = `made-${round}`;
    const isAsked = (): boolean => model.requests.some(({ body }) => body.includes(`Made ${name}.`));
    await terminal.enter(promptFor({ run: `touch ${name}`, say: `Made ${name}.` }));
    await project.until("the model's answer", isAsked);
    const answeredAt = performance.now();
    while (!terminal.shows(question)) await sleep(lookEveryMs);
    const tookMs = performance.now() - answeredAt;
    const hasMade = (): boolean => existsSync(join(cwd, name));
    // Claude Code ignores keys that come as soon as its question does.
    const pressing = setInterval(() => hasMade() || terminal.press("Enter"), 1500);
    await project.until("the command", hasMade).finally(() => clearInterval(pressing));
    await terminal.until(new RegExp(`Made ${name}\\.[^"]`));
    await sleep(500);
    return tookMs;
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN;
}

describeWithParts("an agent's own dialog", terminalParts, () => {
  it.each(agents.map((agent) => ({ ...agent, name: agent.recipe.agent })))(
    "comes while hookbell holds the question: $name",
    async (agent) => {
      const program = await installAgentCli(agent.recipe.clis[0]);
      const [held, bare] = [await sitDown(agent, program, true), await sitDown(agent, program, false)];
      const took = { held: [] as number[], bare: [] as number[] };
      for (let round = 0; round < rounds; round += 1) {
        took.bare.push(await bare());
        took.held.push(await held());
      }
      const ms = { held: Math.round(median(took.held)), bare: Math.round(median(took.bare)) };
      console.log(
        `${agent.name}: ${JSON.stringify(ms)}, ${(ms.held / ms.bare).toFixed(2)} of what it takes without hooks`,
      );
      expect(took.held).toHaveLength(rounds);
    },
    300_000,
  );
});
