// The rule tester of the tab "Why": what the rules of now would do with an event of the journal at another time of its day.
import { reasonsForPage, withInstants } from "./instants.ts";
import { asObject } from "../../../model/json.ts";
import { UserError } from "../../../model/errors.ts";
import type { AgentEvent } from "../../../model/event.ts";
import { wallTimeAt } from "../../../model/figures/wall-clock.ts";
import { listJournal, readJournal } from "../../../outbox/journal.ts";
import { layoutOf } from "../../../outbox/layout.ts";
import { HttpProblem } from "../../../http-server/problems.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { reasonsOf } from "../../../console/output/show-entry.ts";
import { decideAgain, messagesOf } from "../../../commands/pipeline/decide-again.ts";
import { readSupposed, type Supposed } from "../../../commands/pipeline/supposed.ts";
import { viewDispatcher } from "../../../daemon/open-dispatcher.ts";
import type { Explained } from "../contract.ts";

const dayMs = 24 * 60 * 60_000;

/**
 * `time` is local, such as `23:30`; `state` is as in `hookbell explain --state`. Throws the answer if either is
 * invalid.
 */
export async function testRules(
  io: CommandIo,
  { file, event: id }: { file: string; event: string },
  { time, state }: { time?: string; state?: string },
): Promise<Explained> {
  const layout = layoutOf(io.places.stateDir);
  const entries = listJournal(layout).includes(file) ? readJournal(layout, file) : [];
  const recorded = entries.find(({ kind, event }) => kind === "event" && asObject(event)?.id === id);
  if (recorded === undefined) throw new HttpProblem(404, "the journal no longer has this event");
  const event = recorded.event as AgentEvent;
  const supposed = supposedOf(Date.parse(event.at), time, state);
  const dispatcher = await viewDispatcher({ ...io, clock: { ...io.clock, now: () => supposed.at } });
  const decision = decideAgain(dispatcher, event, supposed);
  const { rules, silent } = decision.selection;
  return {
    messages: messagesOf(decision).map(({ channel, rule, title, body, held, at }) => ({
      channel,
      rule,
      title,
      body,
      held:
        held === undefined ? undefined : withInstants(held, supposed.at, at === undefined ? undefined : Date.parse(at)),
      at: at === undefined ? undefined : Date.parse(at),
    })),
    reasons: reasonsForPage(reasonsOf({ kind: "decision", at: event.at, rules, silent }), supposed.at),
  };
}

function supposedOf(eventAt: number, time: string | undefined, state: string | undefined): Supposed {
  const date = new Date(wallTimeAt(eventAt, undefined).day * dayMs).toISOString().slice(0, 10);
  try {
    return readSupposed({ at: time === undefined ? undefined : `${date} ${time}`, state }, eventAt);
  } catch (error) {
    if (error instanceof UserError) throw new HttpProblem(400, error.message);
    throw error;
  }
}
