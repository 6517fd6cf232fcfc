// What the user does about a notification: a click, an answer, or a receipt of a phone that rings. Each ends the escalation.
import type { Service } from "../attend.ts";
import { callChannel, noteFailedCall } from "../../pipeline/channel/call-channel.ts";
import type { Dispatcher, NoteReaction } from "../../pipeline/dispatcher.ts";
import { recordReaction } from "../../pipeline/observe/record-reaction.ts";
import { referencesByChannel, stopRinging } from "../../pipeline/delivery/retract.ts";
import type { Scheduler } from "../../pipeline/scheduler.ts";
import { unlessStorageTrouble } from "../../outbox/layout.ts";

type Session = Parameters<NoteReaction>[0];

export interface Reactions {
  note: NoteReaction;
  /** Ends what the reactions make unnecessary, and asks for receipts if it is time. */
  serve(scheduler: Scheduler): Service;
}

/** https://pushover.net/api/receipts: no faster than every five seconds. */
const askEveryMs = 6000;
const askTimeoutMs = 5000;

/** `wake` is called when the user has reacted. */
export function createReactions(dispatcher: Dispatcher, wake: () => void): Reactions {
  const acted: { session: Session; how: string }[] = [];
  let askedAt = -Infinity;

  const note: NoteReaction = ({ agent, session, isLimit }, how, isAnswer) => {
    if (session === "") return;
    // If the disk fails, the escalation goes on: one message too many is better than one too few.
    unlessStorageTrouble(() => recordReaction(dispatcher, { agent, session, isLimit }, how, isAnswer));
    acted.push({ session: { agent, session, isLimit }, how });
    wake();
  };

  const ask = async (session: Session): Promise<void> => {
    for (const { channel, reference } of referencesByChannel(dispatcher, session)) {
      const { acknowledged } = channel.channelType;
      if (acknowledged === undefined) continue;
      const called = await callChannel(dispatcher, channel, { timeoutMs: askTimeoutMs }, (settings, limited) =>
        acknowledged(settings, reference, limited),
      );
      if (noteFailedCall(dispatcher, channel, "receipt not read", called)) continue;
      if (called.value !== undefined) note(session, called.value);
    }
  };

  return {
    note,
    serve: (scheduler) => ({
      name: "reactions",
      poll(now) {
        for (const { session, how } of acted.splice(0)) {
          scheduler.reconsiderSession(session.session);
          scheduler.run(stopRinging(dispatcher, session.isLimit === true ? { limitOf: session.agent } : session, how));
        }
        const askAt = askedAt + askEveryMs;
        if (now < askAt) return { nextAt: askAt };
        const sessions = scheduler.escalating();
        if (sessions.length === 0) return { nextAt: Infinity };
        askedAt = now;
        for (const session of sessions) scheduler.run(ask(session));
        return { nextAt: now + askEveryMs };
      },
    }),
  };
}
