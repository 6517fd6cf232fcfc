// Prints the results of verified hooks, for `init --verify` and `doctor --verify`.
import { printableLine } from "../../model/text.ts";
import { paint } from "../../console/output/text.ts";
import type { SampleArrival } from "../../install/verify/verify-call.ts";
import { broken, type Finding, ok } from "../../console/output/finding.ts";
import type { Fault, VerifiedAgent, VerifiedEvent } from "./verify-agents.ts";

export function isSound({ events, faults }: VerifiedAgent): boolean {
  return faults.length === 0 && events.every((event) => event.faults.length === 0);
}

export function showVerified({ target, events, faults }: VerifiedAgent, io: { isColor: boolean }): string {
  const lines = [
    paint(io, "bold", target.name),
    ...events.flatMap((event) => {
      const isGood = event.faults.length === 0;
      const mark = isGood ? paint(io, "green", "ok    ") : paint(io, "red", "broken");
      return [`  ${mark}  ${describe(event)}`, ...event.faults.flatMap(showFault)];
    }),
    ...faults.flatMap((fault) => [`  ${paint(io, "red", "broken")}  ${printableLine(fault.text)}`, ...showFix(fault)]),
    `  This does not prove that ${target.name} calls them; ${target.hookSetup.nextStep}`,
  ];
  return `${lines.join("\n")}\n`;
}

/** Reports only the calls; `doctor` checks the settings itself. */
export function findingsOf({ target, events }: VerifiedAgent): Finding[] {
  return events.flatMap((event): Finding[] => {
    if (event.faults.length === 0) return [ok(`${target.name}, ${describe(event)}`)];
    return event.faults.map(({ text, fix }) => {
      const what = `${target.name}, ${event.call.event}: ${text}`;
      const isCommand = fix?.startsWith("hookbell ") === true;
      return isCommand ? broken(what, fix) : broken(what, `hookbell init --verify ${target.id}`, fix);
    });
  });
}

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
      nextStep: agent.target.hookSetup.nextStep,
    })),
  };
}

/** `Stop: arrived in 41 ms (the agent waits 9 ms); would go to desktop, sound (rule "done")`. */
function describe({ call, result, arrival }: VerifiedEvent): string {
  if (arrival === undefined) return `${call.event}: did not arrive`;
  const { name, afterMs } = arrival;
  const as = name === call.event ? "" : ` as ${name}`;
  const wait = call.takes === "stdin" ? `the agent waits ${result.waitedMs} ms` : "the agent does not wait";
  return printableLine(`${call.event}: arrived${as} in ${afterMs} ms (${wait}); ${describeChannels(arrival)}`);
}

function describeChannels({ channels, why, isQuiet }: SampleArrival): string {
  if (why !== undefined) return `never notifies a channel: ${why}`;
  if (channels.length === 0) return "no rule sends it to a channel";
  const verb = isQuiet ? "would go" : "goes";
  const groupsOf = (wanted: typeof channels): string => {
    const rules = [...new Set(wanted.map(({ rule }) => rule))];
    const groups = rules.map((rule) => {
      const names = wanted.filter((each) => each.rule === rule).map(({ channel }) => channel);
      return `${names.join(", ")} (rule ${JSON.stringify(rule)})`;
    });
    return groups.join(", ");
  };
  const now = channels.filter(({ held }) => held === undefined);
  const reasons = [...new Set(channels.flatMap(({ held }) => held ?? []))];
  return [
    ...(now.length === 0 ? [] : [`${verb} to ${groupsOf(now)}`]),
    ...reasons.map((why) => `not now to ${groupsOf(channels.filter(({ held }) => held === why))}: ${why}`),
  ].join("; ");
}

function showFault(fault: Fault): string[] {
  return [`          ${printableLine(fault.text)}`, ...showFix(fault)];
}

function showFix({ fix }: Fault): string[] {
  return fix === undefined ? [] : [`          ${printableLine(fix)}`];
}
