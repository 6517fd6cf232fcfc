import { printableLine } from "../../model/text.ts";
import { paint } from "../console/text.ts";
import { nextStepOf } from "../../install/target/agent-target.ts";
import type { Arrival } from "../../install/verify/verify-call.ts";
import type { Finding } from "../console/finding.ts";
import type { Fault, VerifiedAgent, VerifiedEvent } from "./verify-agents.ts";

export function isSound({ events, faults }: VerifiedAgent): boolean {
  return faults.length === 0 && events.every((event) => event.faults.length === 0);
}

/** For a person: each event with what became of it, what is wrong with its fix, and what only the agent can tell. */
export function showVerified({ target, events, faults }: VerifiedAgent, io: { isColor: boolean }): string {
  const lines = [
    paint(io, "bold", target.name),
    ...events.flatMap((event) => {
      const isGood = event.faults.length === 0;
      const mark = isGood ? paint(io, "green", "ok    ") : paint(io, "red", "broken");
      return [`  ${mark}  ${say(event)}`, ...event.faults.flatMap(showFault)];
    }),
    ...faults.flatMap((fault) => [`  ${paint(io, "red", "broken")}  ${printableLine(fault.text)}`, ...showFix(fault)]),
    `  ${onlyTheAgentKnows(target)}`,
  ];
  return `${lines.join("\n")}\n`;
}

/** The calls alone, for `doctor`, which has looked at the settings itself. */
export function findingsOf({ target, events }: VerifiedAgent): Finding[] {
  return events.flatMap((event): Finding[] =>
    event.faults.length === 0
      ? [{ area: "agents", status: "ok", text: `${target.name}, ${say(event)}` }]
      : event.faults.map(({ text, fix }) => ({
          area: "agents",
          status: "broken",
          text: `${target.name}, ${event.call.event}: ${text}`,
          ...(fix === undefined ? {} : { fix }),
        })),
  );
}

/** What `--json` prints. */
export function verifiedAsJson(agents: readonly VerifiedAgent[]): unknown {
  return {
    agents: agents.map((agent) => ({
      id: agent.target.id,
      isVerified: isSound(agent),
      events: agent.events.map(({ call, result, arrival, faults }) => ({
        event: call.event,
        file: call.path,
        command: call.shown,
        exitCode: result.code,
        waitedMs: result.waitedMs,
        arrived: arrival,
        problems: faults,
      })),
      problems: agent.faults,
      nextStep: nextStepOf(agent.target),
    })),
  };
}

/** `Stop: arrived in 41 ms (the agent waits 9 ms); would go to desktop, sound (rule "done")`. */
function say({ call, result, arrival }: VerifiedEvent): string {
  if (arrival === undefined) return `${call.event}: did not arrive`;
  const { name, afterMs } = arrival;
  const as = name === call.event ? "" : ` as ${name}`;
  // What runs in the agent itself, or is called and forgotten, keeps nobody waiting.
  const wait = call.takes === "stdin" ? `the agent waits ${result.waitedMs} ms` : "the agent does not wait";
  return printableLine(`${call.event}: arrived${as} in ${afterMs} ms (${wait}); ${sayToWhom(arrival)}`);
}

function sayToWhom({ channels, why, isQuiet }: Arrival): string {
  if (why !== undefined) return `nobody is ever told: ${why}`;
  if (channels.length === 0) return "no rule sends it anywhere";
  const rules = [...new Set(channels.map(({ rule }) => rule))];
  const toWhom = rules.map((rule) => {
    const names = channels.filter((each) => each.rule === rule).map(({ channel }) => channel);
    return `${names.join(", ")} (rule ${JSON.stringify(rule)})`;
  });
  return `${isQuiet ? "would go" : "goes"} to ${toWhom.join(", ")}`;
}

function showFault(fault: Fault): string[] {
  return [`          ${printableLine(fault.text)}`, ...showFix(fault)];
}

function showFix({ fix }: Fault): string[] {
  return fix === undefined ? [] : [`          ${printableLine(fix)}`];
}

function onlyTheAgentKnows(target: VerifiedAgent["target"]): string {
  const what = target.isOlder ? "it" : "them";
  return `only ${target.name} itself can tell whether it will call ${what}: ${nextStepOf(target)}`;
}
