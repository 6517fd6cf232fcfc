// Real Claude Code and Codex in a terminal, played by the scripts of the recorded runs: two seconds after each change, and
// whenever nothing has happened for a while, `hookbell sessions` must say what the screen shows. With `RECORD_FIGURES=1`, the
// results go to looks.json, from which `npm run generate` makes the table in docs/background/SESSIONS.md.
import { expect, it } from "vitest";
import { defaultRulesText } from "../../../src/rules/default-rules.ts";
import { gapOf } from "../../recorded-runs/known-gaps.ts";
import { hardScripts } from "../../recorded-runs/record/hard-scripts.ts";
import { play } from "../../recorded-runs/record/script.ts";
import { scripts } from "../../recorded-runs/record/scripts.ts";
import { terminalParts } from "../../support/agents/agent-terminal.ts";
import { inTerminal, type InTerminal } from "../../support/agents/in-terminal.ts";
import { keepFigure } from "../../support/agents/keep-figure.ts";
import { describeWithParts } from "../../support/parts.ts";
import { startLooker, type Look, type Looker } from "./looker.ts";

interface Result {
  agent: string;
  version: string;
  run: string;
  does: string;
  looks: number;
  wrong: { why: string; truth: string[][]; shown: string[]; because?: string | undefined }[];
}

const file = new URL("looks.json", import.meta.url);
const keyOf = ({ agent, run }: Pick<Result, "agent" | "run">): string => `${agent} ${run}`;
const agents: InTerminal[] = [inTerminal["claude-code"], inTerminal.codex];
const cases = agents.flatMap((agent) =>
  [...scripts, ...hardScripts]
    // No night passes here.
    .filter(({ name, isFor }) => name !== "night" && isFor?.(agent) !== false)
    .map((script) => ({ agent, script, id: agent.recipe.agent, name: script.name })),
);

describeWithParts("a look at the sessions", terminalParts, () => {
  it.each(cases)("is right: $id: $name", { timeout: 240_000 }, async ({ agent, script, id, name }) => {
    let looker: Looker | undefined;
    let looks: Look[] = [];
    let version = "";
    try {
      await play(agent, script, async (session, facts) => {
        const { project, receiver } = session;
        version = facts.version;
        const webhook = JSON.stringify({ type: "webhook", url: `${receiver.origin}/events` });
        const channels = /\{ "type": "(?:desktop|sound)" \}/g;
        project.writeRules(defaultRulesText.replaceAll(channels, webhook));
        await session.install("init");
        return (looker = startLooker(session));
      });
    } finally {
      looks = (await looker?.judged()) ?? [];
    }
    const wrong = looks.filter(({ isRight }) => !isRight);
    for (const { why, truth, shown, isRight, screens } of looks) {
      const is = truth.map((states) => states.join(" or ")).join(" and ");
      process.stdout.write(
        `${isRight ? "right" : "WRONG"}: ${id}, ${name}: ${why}: ${is}; shown: ${shown.join(" and ")}\n`,
      );
      if (!isRight) process.stdout.write(`${screens.join("\n---\n")}\n`);
    }
    const result: Result = {
      agent: id,
      version,
      run: name,
      does: script.does,
      looks: looks.length,
      wrong: wrong.map(({ why, truth, shown }) => ({
        why,
        truth,
        shown,
        because: shown.map((state) => gapOf(id, name, state)?.because).find((because) => because !== undefined),
      })),
    };
    keepFigure(
      file,
      result,
      keyOf,
      cases.map(({ id, name: run }) => keyOf({ agent: id, run })),
    );
    expect(looks.length).toBeGreaterThan(0);
    expect(wrong.filter(({ shown }) => !shown.some((state) => gapOf(id, name, state) !== undefined))).toEqual([]);
  });
});
