// Hears of clicks on what is shown, for as long as the dispatcher stays for them, and puts them on record.
import type { ClickWatch } from "../../channels/channel-type.ts";
import { type Delivery, isAboutList } from "../../model/delivery.ts";
import type { AgentEvent } from "../../model/event.ts";
import { writeJournal } from "../../outbox/journal.ts";
import { originalOf } from "../../model/privacy/originals.ts";
import { readSession } from "../../outbox/sessions.ts";
import type { Service } from "../attend.ts";
import type { Dispatcher, NoteReaction } from "../../pipeline/dispatcher.ts";
import { newestWaiting } from "../../pipeline/coalescer/waiting-list.ts";

/** A dispatcher that is not needed for anything else stays no longer for a notification. */
const stayMs = 10 * 60_000;

export interface Clicks extends Service {
  watch(delivery: Delivery): ClickWatch;
}

/** `onChange` is called when one of them is over. */
export function createClicks(dispatcher: Dispatcher, onActed: NoteReaction, onChange: () => void): Clicks {
  const { layout, tools } = dispatcher;
  const waiting = new Map<string, AbortController>();
  let isStopped = false;
  return {
    name: "clicks",
    poll: () => ({ nextAt: Infinity }),
    watch(delivery) {
      const over = new AbortController();
      return {
        over: over.signal,
        place() {
          const asking = sessionOf(dispatcher, delivery);
          if (asking === undefined) return { terminal: undefined, folder: undefined };
          const { terminal, folder } = readSession(layout, asking.agent, asking.session);
          return { terminal, folder: folder === undefined ? undefined : originalOf(folder) };
        },
        wait(shown, clicked) {
          const key = `${delivery.channel} ${shown}`;
          // What replaces a notification has its id.
          waiting.get(key)?.abort();
          waiting.set(key, over);
          // It was on its way when this dispatcher ended: its connection would keep this process.
          if (isStopped) over.abort();
          const cancel = tools.clock.after(stayMs, () => over.abort());
          const end = (did: string | undefined): void => {
            cancel();
            if (did !== undefined) noteClick(dispatcher, onActed, delivery, did);
            if (waiting.get(key) === over) waiting.delete(key);
            onChange();
          };
          clicked.then(end, (error: unknown) => end(`failed: ${String(error)}`));
        },
      };
    },
    busy: () => (waiting.size > 0 ? "stay" : undefined),
    async stop() {
      isStopped = true;
      for (const over of waiting.values()) over.abort();
    },
  };
}

/** A click is a sign that the person is there: the one place that knows of each. */
function noteClick(dispatcher: Dispatcher, onActed: NoteReaction, delivery: Delivery, did: string): void {
  const { layout, tools } = dispatcher;
  const { id, event, channel, rule } = delivery;
  const session = sessionOf(dispatcher, delivery);
  const isLimit = delivery.kind === "limitReached" || delivery.kind === "limitReset";
  if (session !== undefined) onActed({ ...session, isLimit }, "clicked");
  const entry = { event: event.id, delivery: id, channel, rule, verdict: "clicked", why: did };
  writeJournal(layout, tools.clock.now(), { kind: "attention", ...entry });
}

/** A list of sessions stands for the one that rang last. */
function sessionOf(dispatcher: Dispatcher, delivery: Delivery): Pick<AgentEvent, "agent" | "session"> | undefined {
  return isAboutList(delivery) ? newestWaiting(dispatcher, delivery.channel) : delivery.event;
}
