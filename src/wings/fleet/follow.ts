// Watches what the machines of a person say on the broker, and takes their events in.
import { isDenied, type Nats } from "../../system/network/nats.ts";
import type { Claims } from "./buckets/claims.ts";
import type { Consumer } from "./stream/consume.ts";
import {
  buckets,
  consumerLifeMs,
  consumerName,
  ownKeys,
  personEvents,
  personKeys,
  stream,
  type Member,
} from "./names.ts";
import type { FleetPresence } from "./buckets/presence.ts";
import type { FleetQuestions } from "./buckets/questions.ts";
import type { FleetSessions } from "./buckets/sessions.ts";

interface Listeners {
  presence: FleetPresence;
  claims: Claims;
  questions: FleetQuestions;
  sessions: FleetSessions;
  consumer: Consumer;
  wake(): void;
}

const maxUnacknowledged = 1000;

/** Resolves when all is watched. */
export async function follow(nats: Nats, member: Member, listeners: Listeners): Promise<void> {
  const { presence, claims, questions } = listeners;
  await nats.watch(buckets.answers.name, ownKeys(member), (entry) => questions.noteAnswer(entry));
  if (await seesPerson(nats, member, presence)) return await followPerson(nats, member, listeners);
  await presence.beat();
  await nats.watch(buckets.claims.name, ownKeys(member), (entry) => claims.note(entry));
}

/** A machine on which only agents run has no right to see what the person's other machines say. */
async function seesPerson(nats: Nats, member: Member, presence: FleetPresence): Promise<boolean> {
  try {
    await nats.watch(buckets.presence.name, personKeys(member), presence.note);
    return true;
  } catch (error) {
    if (isDenied(error)) return false;
    throw error;
  }
}

async function followPerson(
  nats: Nats,
  member: Member,
  { presence, claims, questions, sessions, consumer, wake }: Listeners,
): Promise<void> {
  await presence.beat();
  // The ages of claims are known by the broker's clock.
  await Promise.race([presence.clockKnown, nats.ended]);
  await nats.watch(buckets.claims.name, personKeys(member), (entry) => claims.note(entry));
  await nats.watch(buckets.questions.name, personKeys(member), (entry) => questions.noteQuestion(entry));
  await nats.watch(buckets.sessions.name, personKeys(member), sessions.note, sessions.noteGone);
  const own = {
    stream: stream.name,
    name: consumerName(member),
    filter: personEvents(member),
    inactiveMs: consumerLifeMs,
    maxUnacknowledged,
  };
  await nats.consume(own, async (messages) => {
    await consumer.take(messages);
    questions.begin();
    wake();
  });
}
