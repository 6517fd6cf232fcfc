// What a person has looked at escalates no further.
import { byHand } from "../../../model/own-events.ts";
import { layoutOf } from "../../../outbox/layout.ts";
import { recordReaction } from "../../../pipeline/observe/record-reaction.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { updateBaseline } from "../baseline.ts";
import type { KnownLaunch } from "./look.ts";

/** Ends what its notification would still do. */
export function endEscalation(
  io: Pick<CommandIo, "places" | "clock">,
  { entry }: Pick<KnownLaunch, "entry">,
  how: string,
): void {
  if (entry?.told === undefined || entry.seen !== undefined) return;
  const layout = layoutOf(io.places.stateDir);
  recordReaction({ layout, tools: { clock: io.clock } }, { agent: byHand.agent, session: entry.told.event }, how);
}

/** The person has looked: nothing escalates any more. */
export function noteSeen(io: CommandIo, shown: readonly KnownLaunch[]): void {
  const unseen = shown.filter(({ entry }) => entry?.told !== undefined && entry.seen === undefined);
  if (unseen.length === 0) return;
  for (const each of unseen) endEscalation(io, each, "looked at");
  const now = io.clock.now();
  const ids = new Set(unseen.map(({ launch }) => launch.id));
  updateBaseline(layoutOf(io.places.stateDir), (current) => ({
    ...current,
    entries: Object.fromEntries(
      Object.entries(current.entries).map(([id, entry]) => [id, ids.has(id) ? { ...entry, seen: now } : entry]),
    ),
  }));
}
