// What a person does about a notification: a click, an answer, or a receipt of a phone that rings. Each ends the escalation.
import type { AgentEvent } from "../../model/event.ts";
import { readSession, writeSession } from "../../outbox/sessions.ts";
import { findChannel } from "../../rules/built-in.ts";
import { callChannel, noteFailedCall } from "../call-channel.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { isStorageTrouble } from "../policy/retry-timing.ts";
import { stopRinging } from "../send/withdraw.ts";
import type { Scheduler } from "./scheduler.ts";

export interface Acts {
  note(session: Session, how: string, isAnswer?: boolean): void;
  /** Asks for receipts, if it is time. */
  look(): void;
  finish(): void;
}

type Session = Pick<AgentEvent, "agent" | "session">;

/** https://pushover.net/api/receipts: no faster than every five seconds. */
const askEveryMs = 6000;
const askTimeoutMs = 5000;

/** `wake` is called when it is time to look. */
export function createActs(dispatcher: Dispatcher, scheduler: Scheduler, wake: () => void): Acts {
  const { layout, tools, rules } = dispatcher;
  const { clock } = tools;
  let askedAt = -Infinity;
  let cancelLook = (): void => {};

  const note = ({ agent, session }: Session, how: string, isAnswer?: boolean): void => {
    if (session === "") return;
    try {
      writeSession(layout, { ...readSession(layout, agent, session), acted: { at: clock.now(), how, isAnswer } });
    } catch (error) {
      // On such a disk the escalation goes on: one message too many.
      if (!isStorageTrouble(error)) throw error;
    }
    scheduler.reconsiderSession(session);
    scheduler.run(stopRinging(dispatcher, { agent, session }, how));
  };

  const ask = async (session: Session): Promise<void> => {
    const { remembered } = readSession(layout, session.agent, session.session);
    for (const [name, place] of Object.entries(remembered)) {
      const channel = findChannel(rules().rules, name);
      const acknowledged = channel?.channelType.acknowledged;
      if (channel === undefined || acknowledged === undefined) continue;
      const called = await callChannel(dispatcher, channel, { timeoutMs: askTimeoutMs }, (settings, limited) =>
        acknowledged(settings, place, limited),
      );
      if (noteFailedCall(dispatcher, channel, "receipt not read", called)) continue;
      if (called.value !== undefined) note(session, called.value);
    }
  };

  return {
    note,
    look() {
      const sessions = clock.now() < askedAt + askEveryMs ? [] : scheduler.escalating();
      if (sessions.length === 0) return;
      askedAt = clock.now();
      cancelLook();
      cancelLook = clock.after(askEveryMs, wake);
      for (const session of sessions) scheduler.run(ask(session));
    },
    finish: () => cancelLook(),
  };
}
