// The events of everyone, for `hookbell serve`: one durable consumer, which several servers share.
import { untilAborted } from "../../../system/clock.ts";
import { messageOf } from "../../../model/errors.ts";
import type { FedEvent } from "../../../http-server/served.ts";
import { readBody } from "./body.ts";
import { type ConnectionOptions, keepConnected } from "../connection.ts";
import { consumerLifeMs, orgEvents, readEventSubject, serveConsumer, stream } from "../names.ts";

export interface FeedOptions extends Pick<ConnectionOptions, "member" | "tools" | "connection" | "signal"> {
  /** Throws if it has not stored them: they come again then. */
  take(events: readonly FedEvent[]): void;
  /** Something for the log. */
  onNote(text: string): void;
}

/** What a server that was killed had not acknowledged goes to another one after this time. */
const ackWaitMs = 10_000;
const maxUnacknowledged = 1000;

/** Runs until the signal is aborted. What is acknowledged is stored. */
export async function followEvents({ member, take, onNote, signal, ...options }: FeedOptions): Promise<void> {
  const consumer = {
    stream: stream.name,
    name: serveConsumer,
    filter: orgEvents(member.org),
    inactiveMs: consumerLifeMs,
    maxUnacknowledged,
    begin: "oldest",
    ackWaitMs,
  } as const;
  let problem: string | undefined;
  const note = (text: string): void => {
    if (text !== problem) onNote(text);
    problem = text;
  };
  await keepConnected({
    ...options,
    member,
    signal,
    async work(nats) {
      await nats.consume(consumer, (messages) => {
        try {
          take(messages.flatMap(({ subject, data }) => fedEvent(subject, data)));
        } catch (error) {
          note(`cannot store events of the fleet: ${messageOf(error)}; trying again`);
          return Promise.resolve();
        }
        for (const message of messages) message.ack();
        return Promise.resolve();
      });
      note(`counting the events of ${member.org}`);
      await Promise.race([nats.ended, untilAborted(signal)]);
    },
    onFailed: (error) => note(`cannot read the events of the fleet: ${messageOf(error)}; trying again`),
    onEnded: () => {},
  });
}

/** What no machine has published is nothing. */
function fedEvent(subject: string, data: Uint8Array): FedEvent[] {
  const { person, eventId } = readEventSubject(subject) ?? {};
  const body = readBody(data);
  return person === undefined || eventId === undefined || body === undefined ? [] : [{ person, eventId, body }];
}
