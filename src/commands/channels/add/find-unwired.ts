import type { Rule } from "../../../rules/rules.ts";
import { isEventAwaited } from "../../../rules/apply/awaited-events.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { findWiredAgents } from "../../pipeline/rule-coverage.ts";

/** Our names of events that rules with this channel wait for, and that a wired agent could send and does not. */
export function findUnwired(
  rules: readonly Rule[],
  channel: string,
  io: Pick<CommandIo, "env" | "places" | "platform">,
): string[] {
  const own = rules.filter(({ notify }) => notify.includes(channel));
  const missing = findWiredAgents(io).flatMap(({ target, sends, maySend }) =>
    [...maySend].filter((name) => !sends.has(name) && isEventAwaited(own, target.id, name)),
  );
  return [...new Set(missing)];
}
