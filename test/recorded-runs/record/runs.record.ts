// Records every script with every agent that can play it: `npm run record:runs`. RECORD_AGENT and RECORD_RUN name one.
import { it } from "vitest";
import { inTerminal, type InTerminal } from "../../support/agents/in-terminal.ts";
import { terminalParts } from "../../support/agents/agent-terminal.ts";
import { describeWithParts } from "../../support/parts.ts";
import { record } from "./recorder.ts";
import { hardScripts } from "./hard-scripts.ts";
import { scripts } from "./scripts.ts";

const { RECORD_AGENT: onlyAgent, RECORD_RUN: onlyRun } = process.env;
const cases = Object.entries(inTerminal)
  .filter(([id]) => onlyAgent === undefined || id === onlyAgent)
  .flatMap(([id, agent]: [string, InTerminal]) =>
    [...scripts, ...hardScripts]
      .filter(({ name, isFor }) => (onlyRun === undefined || name === onlyRun) && isFor?.(agent) !== false)
      .map((script) => ({ id, agent, script, name: script.name })),
  );

describeWithParts("a recording", terminalParts, () => {
  it.each(cases)("$id: $name", async ({ agent, script }) => {
    await record(agent, script);
  });
});
