// Tries on the broker what a member may do and what it must not be able to do, without leaving anything behind.
import { headers, type NatsConnection } from "@nats-io/transport-node";
import { othersTurn } from "../../../system/clock.ts";
import { randomId } from "../../../system/crypto.ts";
import {
  entryKey,
  consumerName,
  eventSubject,
  type Member,
  orgEvents,
  ownKeys,
  personEvents,
  presenceKey,
  serveConsumer,
  stream,
} from "../names.ts";
import type { FleetRole } from "../rights.ts";
import { isDenied } from "./broker.ts";

const answerTimeoutMs = 3000;
/** No member has these names: they are longer than a fleet's. */
const noOne = "x".repeat(65);
const entry = "hookbell-doctor";

interface Probe {
  /** The words that complete "it can" and "it cannot". */
  what: string;
  isAllowed: boolean;
  how: "publish" | "request" | "subscribe";
  subject: string;
}

export interface ProbedRight extends Probe {
  wasAllowed: boolean;
}

function probesOf(role: FleetRole, member: Member): Probe[] {
  const sibling = { ...member, host: noOne };
  const stranger = { org: member.org, person: noOne, host: noOne };
  const mayPublish = role === "device" || role === "host";
  const isDevice = role === "device";
  const isServer = role === "server";
  const consumer = isServer ? serveConsumer : consumerName(member);
  const publish = (what: string, isAllowed: boolean, subject: string): Probe => ({
    what,
    isAllowed,
    how: "publish",
    subject,
  });
  const request = (what: string, isAllowed: boolean, subject: string): Probe => ({
    what,
    isAllowed,
    how: "request",
    subject: `$JS.API.${subject}`,
  });
  const watch = (what: string, isAllowed: boolean, bucket: string, keys: string): Probe =>
    request(what, isAllowed, `CONSUMER.CREATE.KV_${bucket}.${entry}.$KV.${bucket}.${keys}`);
  const subscribe = (what: string, subject: string): Probe => ({ what, isAllowed: false, how: "subscribe", subject });
  const events = `CONSUMER.CREATE.${stream.name}.${consumer}`;
  return [
    publish("publish events as itself", mayPublish, eventSubject(member, entry)),
    publish("publish events as another machine of its person", false, eventSubject(sibling, entry)),
    publish("publish events as another person", false, eventSubject(stranger, entry)),
    publish("say that it is there", mayPublish, `$KV.presence.${presenceKey(member)}`),
    publish("say that another machine is there", false, `$KV.presence.${presenceKey(sibling)}`),
    publish("say what its sessions do", mayPublish, `$KV.sessions.${entryKey(member, entry)}`),
    publish("say what another machine's sessions do", false, `$KV.sessions.${entryKey(sibling, entry)}`),
    publish("claim its own events", mayPublish, `$KV.claims.${entryKey(member, entry)}`),
    publish("claim events of its person's other machines", isDevice, `$KV.claims.${entryKey(sibling, entry)}`),
    publish("claim another person's events", false, `$KV.claims.${entryKey(stranger, entry)}`),
    publish("answer questions of its person's other machines", isDevice, `$KV.answers.${entryKey(sibling, entry)}`),
    publish("answer another person's questions", false, `$KV.answers.${entryKey(stranger, entry)}`),
    watch("read its own answers", mayPublish, "answers", ownKeys(member)),
    watch("read its person's answers", isDevice, "answers", `${member.person}.>`),
    watch("read another person's answers", false, "answers", `${noOne}.>`),
    watch("read its person's sessions", isDevice, "sessions", `${member.person}.>`),
    watch("read another person's sessions", false, "sessions", `${noOne}.>`),
    request("read its person's events", isDevice || isServer, `${events}.${personEvents(member)}`),
    request("read another person's events", isServer, `${events}.${personEvents(stranger)}`),
    request("read everyone's events", isServer, `${events}.${orgEvents(member.org)}`),
    request("count events", role === "team", `STREAM.INFO.${stream.name}`),
    request("read any event by its number", false, `STREAM.MSG.GET.${stream.name}`),
    request("read an entry past its consumers", false, `DIRECT.GET.KV_answers.$KV.answers.${entryKey(member, entry)}`),
    request("take another machine's events", false, `CONSUMER.MSG.NEXT.${stream.name}.${consumerName(sibling)}`),
    request("list consumers", false, `CONSUMER.NAMES.${stream.name}`),
    // The filter matches nothing, so nothing would go.
    request("purge events", false, `STREAM.PURGE.${stream.name}`),
    subscribe("read others' answers from the broker", "_INBOX.>"),
    subscribe("listen to events", "hb.>"),
    subscribe("listen to entries", "$KV.>"),
    subscribe("listen to requests", "$JS.>"),
  ];
}

/** Probes run one after the other; each leaves the broker as it was. */
export async function tryRights(connection: NatsConnection, role: FleetRole, member: Member): Promise<ProbedRight[]> {
  const results: ProbedRight[] = [];
  for (const probe of probesOf(role, member)) results.push(await tryOne(connection, probe));
  return results;
}

/** The broker answers in order, so a refusal comes before the answer to the flush. */
async function tryOne(connection: NatsConnection, probe: Probe): Promise<ProbedRight> {
  let isRefused = false;
  const refuse = (error: unknown): void => void (isRefused ||= isDenied(error));
  if (probe.how === "subscribe") {
    const subscription = connection.subscribe(probe.subject, { callback: (error) => refuse(error) });
    await connection.flush();
    subscription.unsubscribe();
  } else {
    // JetStream refuses an entry for a stream of another name, and a request without a stream's name.
    const guard = headers();
    guard.set("Nats-Expected-Stream", noOne);
    const body = probe.how === "publish" ? "" : JSON.stringify({ filter: `${noOne}.none` });
    // Nothing but a refusal counts: some wrong requests are never answered.
    connection.request(probe.subject, body, { timeout: answerTimeoutMs, headers: guard }).catch(refuse);
    await connection.flush();
  }
  await othersTurn();
  return { ...probe, wasAllowed: !isRefused };
}

/** How far this machine's clock is ahead of the broker's, in milliseconds; only members that may watch their answers see it. */
export async function clockAheadMs(
  connection: NatsConnection,
  member: Member,
  now: () => number,
): Promise<number | undefined> {
  // Two doctors must not change each other's consumer.
  const name = `${entry}-${randomId()}`;
  const filter = `$KV.answers.${ownKeys(member)}`;
  const config = { name, deliver_policy: "new", ack_policy: "none", filter_subject: filter, mem_storage: true };
  const subject = `$JS.API.CONSUMER.CREATE.KV_answers.${name}.${filter}`;
  const before = now();
  const request = { stream_name: "KV_answers", config: { ...config, inactive_threshold: 5_000_000_000 } };
  const answer = await connection.request(subject, JSON.stringify(request), { timeout: answerTimeoutMs });
  const after = now();
  const { created } = answer.json<{ created?: string }>();
  await connection.request(`$JS.API.CONSUMER.DELETE.KV_answers.${name}`, "", { timeout: answerTimeoutMs });
  return created === undefined ? undefined : (before + after) / 2 - Date.parse(created);
}
