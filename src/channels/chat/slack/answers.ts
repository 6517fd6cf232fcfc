// How a person answers in Slack: buttons, or replies in the thread, through Socket Mode. https://docs.slack.dev/apis/events-api/using-socket-mode
import type { OnReply, ReceivedReply } from "../../../model/answer.ts";
import type { AnswerTransport, ChannelTools, ListenFailure } from "../../channel-type.ts";
import type { Resolved } from "../../../model/privacy/secret.ts";
import { printableLine } from "../../../model/text.ts";
import { openWebSocket, type WebSocketLine } from "../../../system/network/websocket.ts";
import { callVendor, jsonPost } from "../../vendor-request.ts";
import { escapeText, renderCard, toSlackQuestion } from "./message.ts";
import { callSlack, openConnection, readAppTokenFailure, readSlackFailure, type SlackSettings } from "./web-api.ts";
import { type Members, objectIn, objectOf } from "../../../model/json.ts";

/** Slack closes a connection within that time after its warning. */
const overlapMs = 10_000;
/** Event ids to remember; Slack repeats only recent events. */
const maxSeen = 200;

/** An open connection. */
interface Connection {
  line: WebSocketLine;
  /** Slack will close it: undefined; or why it is over. */
  leaving: Promise<ListenFailure | undefined>;
}

export const slackAnswers: AnswerTransport<SlackSettings> = {
  render: renderCard,
  // Slack shows the buttons in one row.
  maxButtons: 5,
  takesReplies: true,
  namesSender: true,
  showsSnooze: true,
  problemOf({ token, appToken }) {
    if (token === undefined) return 'a webhook brings no answers back; set "token", "channel" and "appToken" of a bot';
    return appToken === undefined ? 'answers need "appToken", too: an app-level token, xapp-...' : undefined;
  },
  credentialOf: ({ appToken }) => appToken?.reveal() ?? "",
  async listen(settings, onReply, tools) {
    const take = takerOf(settings, onReply, tools);
    let earlier: Connection | undefined;
    for (;;) {
      const connection = await connect(settings, tools, take);
      if ("failure" in connection) {
        // The earlier connection may still hear something.
        await earlier?.line.ended;
        return connection.failure;
      }
      const { line, leaving } = connection;
      const failure = await leaving;
      if (failure !== undefined) {
        line.close(1000);
        return failure;
      }
      earlier = connection;
      const cancel = tools.clock.after(overlapMs, () => line.close(1000));
      void line.ended.then(cancel);
    }
  },
  async close(settings, { channel, ts }, card, tools) {
    const request = callSlack(settings, "chat.update", {
      channel,
      ts,
      ...toSlackQuestion(card, "PermissionRequest", { buttons: [] }),
    });
    const answer = await callVendor(request, tools);
    if ("detail" in answer) throw new Error(answer.detail);
    if (objectIn(answer.body).ok !== true) {
      throw new Error(readSlackFailure(answer)?.detail ?? `Slack answered ${answer.status}`);
    }
  },
};

/** Resolves once Slack has said hello. */
async function connect(
  settings: Resolved<SlackSettings>,
  tools: ChannelTools,
  take: (envelope: Members) => void,
): Promise<Connection | { failure: ListenFailure }> {
  const answer = await callVendor(openConnection(settings), tools);
  if ("detail" in answer) return { failure: answer.detail };
  const { ok, url } = objectIn(answer.body);
  if (ok !== true || typeof url !== "string") {
    const final = readAppTokenFailure(answer);
    return {
      failure:
        final === undefined ? (readSlackFailure(answer)?.detail ?? `Slack answered ${answer.status}`) : { final },
    };
  }
  return await new Promise((resolve) => {
    let leave = (_: ListenFailure | undefined): void => {};
    const leaving = new Promise<ListenFailure | undefined>((settle) => (leave = settle));
    const opening = openWebSocket({ url, isPlainAllowed: settings.allowHttp }, tools, (message) => {
      void opening.then((line) => {
        if (message.type === "hello") return resolve({ line, leaving });
        if (message.type === "disconnect") {
          leave(whyDisconnected(message.reason));
          return resolve({ line, leaving });
        }
        // Acknowledge before anything else: Slack repeats what is not acknowledged within three seconds.
        if (typeof message.envelope_id === "string") line.send({ envelope_id: message.envelope_id });
        take(message);
      });
    });
    void opening.then(async (line) => {
      const { detail } = await line.ended;
      leave(detail);
      resolve({ failure: detail });
    });
  });
}

/** Returns undefined if Slack only asks for another connection. */
function whyDisconnected(reason: unknown): ListenFailure | undefined {
  if (reason === "link_disabled") return { final: "Socket Mode is switched off; switch it on in the app's settings" };
  if (reason === "too_many_websockets")
    return "other programs use all of the app's connections; give hookbell an app of its own";
  return undefined;
}

function takerOf(
  settings: Resolved<SlackSettings>,
  onReply: OnReply,
  tools: ChannelTools,
): (envelope: Members) => void {
  const seen = new Set<unknown>();
  const post = (request: ReturnType<typeof callSlack>): void => void callVendor(request, tools);
  return ({ type, payload: content }) => {
    const payload = objectOf(content);
    if (type === "interactive" && payload.type === "block_actions") {
      const { value } = objectOf(Array.isArray(payload.actions) ? payload.actions[0] : undefined);
      const said = onReply({ sender: senderOf(payload.user), nonce: typeof value === "string" ? value : "" });
      const { response_url: url } = payload;
      if (said === undefined || typeof url !== "string") return;
      post(
        jsonPost(url, settings.allowHttp, {
          response_type: "ephemeral",
          replace_original: false,
          text: escapeText(said),
        }),
      );
      return;
    }
    const { event_id: id, event: told } = payload;
    // Slack repeats an event whose acknowledgement was lost.
    if (type !== "events_api" || seen.has(id)) return;
    if (seen.size >= maxSeen) seen.clear();
    seen.add(id);
    const event = objectOf(told);
    const { channel, thread_ts: thread, text } = event;
    const isReply = event.type === "message" && event.subtype === undefined && event.bot_id === undefined;
    if (!isReply || typeof channel !== "string" || typeof thread !== "string" || typeof text !== "string") return;
    const reply = { text: withoutEntities(text), to: { channel, ts: thread } };
    const said = onReply({ sender: senderOf({ id: event.user }), reply });
    if (said === undefined) return;
    post(callSlack(settings, "chat.postMessage", { channel, thread_ts: thread, text: escapeText(said) }));
  };
}

/** https://docs.slack.dev/messaging/formatting-message-text#escaping */
function withoutEntities(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

function senderOf(user: unknown): ReceivedReply["sender"] {
  const { id, username, name } = objectOf(user);
  if (typeof id !== "string" || id === "") return undefined;
  const known = [username, name].find((each) => typeof each === "string" && each !== "");
  return { id, name: printableLine(typeof known === "string" ? known : id) };
}
