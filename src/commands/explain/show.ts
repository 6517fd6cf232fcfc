// Prints what `explain` found.
import { agentEventNames } from "../../agents/event-names.ts";
import { knownEventNames, type AgentEvent } from "../../model/event.ts";
import { printable, printableLine } from "../../model/text.ts";
import { nearest } from "../../rules/nearest.ts";
import type { Selection } from "../../rules/apply/select.ts";
import { paint } from "../../console/output/text.ts";
import { localTime } from "../../console/output/show-entry.ts";
import type { DecidedMessage } from "../pipeline/decide-again.ts";

export interface Explanation {
  event: AgentEvent;
  rules: Selection["rules"];
  deliveries: readonly Omit<DecidedMessage, "isMarkdown">[];
  silent: Selection["silent"];
  notes: readonly string[];
}

export function showExplanation(
  { event, rules, deliveries, silent, notes }: Explanation,
  io: { isColor: boolean },
): string {
  const lines = [
    `${paint(io, "bold", "event")}  ${printableLine(event.name)} from ${printableLine(event.agent)}, project ${printableLine(event.project)}, level ${event.level}`,
    ...[...noteOfName(event), ...notes].map((note) => `  ${paint(io, "yellow", printableLine(note))}`),
    "",
    paint(io, "bold", "rules"),
    ...rules.map(({ name, held, why }) => {
      const mark = held ? paint(io, "green", "yes") : paint(io, "dim", "no ");
      return `  ${mark}  ${printableLine(name)}  ${paint(io, "dim", printableLine(why))}`;
    }),
    "",
    paint(io, "bold", "notified"),
    ...(deliveries.length === 0 ? ["  none"] : deliveries.flatMap((delivery) => showDelivery(delivery, io))),
  ];
  if (silent.length > 0) {
    lines.push("", paint(io, "bold", "silent"));
    for (const { channel, rule, why } of silent) {
      lines.push(`  ${printableLine(channel ?? `rule "${rule ?? ""}"`)}  ${paint(io, "dim", printableLine(why))}`);
    }
  }
  return `${lines.join("\n")}\n`;
}

/** An unknown event name is allowed, but may be a typo. */
function noteOfName({ name }: AgentEvent): string[] {
  const known = [...knownEventNames, ...agentEventNames];
  if (known.includes(name)) return [];
  const meant = nearest(name, known);
  return [
    meant === undefined
      ? "unknown event: only rules that name it, or match any event, can match"
      : `no known agent sends this event; did you mean "${meant}"?`,
  ];
}

function showDelivery(
  { channel, title, body, level, rule, at, held, quiet, scrubbed }: Explanation["deliveries"][number],
  io: { isColor: boolean },
): string[] {
  const text = printable(body)
    .split("\n")
    .map((line) => `      ${line}`);
  return [
    `  ${paint(io, "bold", channel)}  ${level}  ${paint(io, "dim", `by rule "${printableLine(rule)}"`)}`,
    ...(at === undefined
      ? []
      : [`      ${paint(io, "yellow", `not before ${localTime(at)}: ${printableLine(held ?? "")}`)}`]),
    ...(quiet === undefined ? [] : [`      ${paint(io, "yellow", `without a sound: ${quiet}`)}`]),
    `      ${printableLine(title)}`,
    ...text,
    ...(scrubbed.length === 0 ? [] : [`      ${paint(io, "dim", `removed: ${scrubbed.join(", ")}`)}`]),
  ];
}
