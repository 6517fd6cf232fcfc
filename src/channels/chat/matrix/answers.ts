// How a person answers in a Matrix room: a reaction to the question, or a reply. https://spec.matrix.org/latest/client-server-api/#syncing
import type { Resolved } from "../../../model/privacy/secret.ts";
import { cut, measures, printableLine } from "../../../model/text.ts";
import { sha256 } from "../../../system/crypto.ts";
import type { Button, Choice, ReceivedReply } from "../../../model/answer.ts";
import type { AnswerTransport, ChannelTools } from "../../channel-type.ts";
import { exchangingBy, type HttpChannel, parseRetryAfter } from "../../http-channel.ts";
import { callVendor } from "../../vendor-request.ts";
import { readMatrixError } from "./errors.ts";
import { renderCard, toMatrixQuestion } from "./message.ts";
import { encryptedRoom, type MatrixRoom, matrixRequest, type MatrixSettings, roomRequest } from "./room.ts";
import { sleep } from "../../../system/clock.ts";
import { type Members, objectIn, objectOf, objectsOf } from "../../../model/json.ts";

type Settings = Resolved<MatrixSettings>;

/** The homeserver holds the request so long when nothing happens. */
const pollMs = 25_000;
const callTimeoutMs = 10_000;
const reactionTimeoutMs = 3000;
const maxSyncBytes = 1024 * 1024;
const maxEvents = 100;
const maxPauseMs = 60_000;
const maxSaid = 500;

const reactions: Readonly<Partial<Record<Choice, string>>> = { allow: "✅", allowForSession: "🔁", deny: "❌" };
/** A custom member of the question's event, by which a later listener knows it. */
export const questionMark = "dev.hookbell.question";

/** Says what each reaction means. */
export function legendOf(buttons: readonly Button[]): string {
  const keys = buttons.flatMap(({ choice, label }) =>
    reactions[choice] === undefined ? [] : [`${reactions[choice]} ${label}`],
  );
  return keys.length === 0 ? "" : `react or reply: ${keys.join(" · ")}`;
}

/** Shows each button as a reaction, which the person only has to tap. Without it, they can still react. */
export function offeringReactions(channel: HttpChannel): HttpChannel {
  return exchangingBy(channel, async (request, tools) => {
    const exchanged = await channel.exchange(request, tools);
    const event = exchanged.outcome.status === "delivered" ? exchanged.outcome.remember?.event : undefined;
    if (request.question === undefined || event === undefined) return exchanged;
    for (const { choice } of request.question.buttons.filter((each) => reactions[each.choice] !== undefined)) {
      const relation = { rel_type: "m.annotation", event_id: event, key: reactions[choice] };
      const path = `send/m.reaction/${encodeURIComponent(`${request.deliveryId}-${choice}`)}`;
      const body = JSON.stringify({ "m.relates_to": relation });
      const reacting = roomRequest(request.settings as MatrixRoom, { method: "PUT", path, body });
      await tools.http(reacting, { timeoutMs: reactionTimeoutMs, signal: tools.signal });
    }
    return exchanged;
  });
}

export const matrixAnswers: AnswerTransport<MatrixSettings> = {
  render: renderCard,
  // Options are numbered in the text.
  maxButtons: 0,
  takesReplies: true,
  namesSender: true,
  pairing: "write any message in the room, from an account of your own",
  credentialOf: ({ homeserver, room, token }) => `${homeserver.reveal()} ${room} ${token.reveal()}`,
  async listen(settings, onReply, tools) {
    const me = await ask(settings, "account/whoami", tools);
    const encryption = await ask(settings, roomPath(settings.room, "state/m.room.encryption"), tools);
    if (tools.signal.aborted) return "";
    if (me.detail !== undefined) return me.detail;
    if (encryption.detail === undefined) return { final: encryptedRoom };
    const filter = JSON.stringify(filterFor(settings.room, me.answer.user_id));
    let since: string | undefined;
    for (;;) {
      const query = { filter, since, timeout: String(since === undefined ? 0 : pollMs), set_presence: "offline" };
      const { answer = {}, detail, pauseMs } = await ask(settings, "sync", tools, query);
      if (tools.signal.aborted) return "";
      if (pauseMs !== undefined) await sleep(tools.clock, pauseMs);
      else if (detail !== undefined) return detail;
      else {
        const { events } = objectOf(objectOf(objectOf(objectOf(answer.rooms).join)[settings.room]).timeline);
        for (const event of objectsOf(events)) {
          const said = onReply(replyIn(event, settings.room));
          // The first ones are from before.
          if (since !== undefined && said !== undefined) await tell(settings, event, me.answer.user_id, said, tools);
        }
        since = String(answer.next_batch);
      }
    }
  },
  async close(settings, { event = "" }, card, tools) {
    const content = toMatrixQuestion(card, "PermissionRequest", settings.msgtype ?? "m.notice", { replaces: event });
    const answer = await put(settings, `${event} is over`, content, tools);
    if ("detail" in answer) throw new Error(answer.detail);
    const failure = readMatrixError(answer);
    if (failure !== undefined) throw new Error(failure.detail);
  },
};

/** Only messages and reactions of this room, and none of the listener's own. */
function filterFor(room: string, me: unknown): object {
  const none = { types: [] };
  const timeline = { types: ["m.room.message", "m.reaction"], not_senders: [me], limit: maxEvents };
  return {
    presence: none,
    account_data: none,
    room: { rooms: [room], timeline, state: none, ephemeral: none, account_data: none },
  };
}

/** An event without a reaction or a text says nothing. */
function replyIn(event: Members, room: string): ReceivedReply {
  const { type, sender, content } = event;
  const who =
    typeof sender === "string" ? { sender: { id: sender, name: printableLine(sender.replace(/^@/, "")) } } : {};
  const { body, msgtype, "m.relates_to": related } = objectOf(content);
  const { rel_type: kind, event_id: target, key, "m.in_reply_to": answered } = objectOf(related);
  if (type === "m.reaction") {
    // Some programs add the sign for "as a picture".
    const sign = String(key).replaceAll("\uFE0F", "");
    const choice = (Object.keys(reactions) as Choice[]).find((each) => reactions[each] === sign);
    return choice === undefined ? {} : { ...who, pressed: { choice, to: { room, event: String(target) } } };
  }
  if (msgtype !== "m.text" || typeof body !== "string" || kind === "m.replace") return {};
  // A thread's replies stand below its first message.
  const to = kind === "m.thread" ? target : objectOf(answered).event_id;
  return { ...who, reply: { text: withoutQuote(body), to: typeof to === "string" ? { room, event: to } : {} } };
}

/** Older programs repeat what is replied to: https://spec.matrix.org/v1.12/client-server-api/#fallbacks-for-rich-replies */
function withoutQuote(body: string): string {
  return body.startsWith("> ") ? body.replace(/^(?:> .*\n)+\n?/, "") : body;
}

/** Replies to the message; for an older one only if it was a question of this account. */
async function tell(settings: Settings, event: Members, me: unknown, said: string, tools: ChannelTools): Promise<void> {
  const { pressed, reply } = replyIn(event, settings.room);
  const about = (pressed ?? reply)?.to.event;
  if (about !== undefined) {
    const { answer = {} } = await ask(settings, roomPath(settings.room, `event/${encodeURIComponent(about)}`), tools);
    if (answer.sender !== me || objectOf(answer.content)[questionMark] !== true) return;
  }
  const body = cut(said, maxSaid, measures.codePoints);
  const related = { "m.in_reply_to": { event_id: pressed === undefined ? event.event_id : about } };
  const content = { msgtype: "m.notice", body, "m.mentions": {}, "m.relates_to": related };
  await put(settings, `${String(event.event_id)} is answered`, content, tools);
}

/** The homeserver takes the same `what` once. */
function put(settings: Settings, what: string, content: object, tools: ChannelTools): ReturnType<typeof callVendor> {
  const path = `send/m.room.message/${sha256(what).slice(0, 32)}`;
  const request = roomRequest(settings, { method: "PUT", path, body: JSON.stringify(content) });
  return callVendor(request, tools);
}

function roomPath(room: string, path: string): string {
  return `rooms/${encodeURIComponent(room)}/${path}`;
}

type Asked =
  | { answer: Members; detail?: undefined; pauseMs?: undefined }
  | { answer?: undefined; detail: string; pauseMs?: number };

async function ask(
  settings: Settings,
  path: string,
  tools: ChannelTools,
  query: Readonly<Record<string, string | undefined>> = {},
): Promise<Asked> {
  const request = { ...matrixRequest(settings, { method: "GET", path, query }), maxResponseBytes: maxSyncBytes };
  const answer = await tools.http(request, {
    timeoutMs: pollMs + callTimeoutMs,
    signal: tools.signal,
    keepsConnection: true,
  });
  if ("failure" in answer) return { detail: answer.detail };
  if (answer.status === 200 && answer.bodyEnd === "whole") return { answer: objectIn(answer.body) };
  const failure = readMatrixError(answer);
  const detail = failure?.detail ?? `answered ${answer.status}, but not as a Matrix homeserver does`;
  if (failure?.reason !== "rateLimited") return { detail };
  const { "retry-after": after, date } = answer.headers;
  const askedMs = failure.retryAfterMs ?? parseRetryAfter(after, date, tools.clock.now()) ?? 1000;
  return { detail, pauseMs: Math.min(Math.max(askedMs, 100), maxPauseMs) };
}
