// How a person answers in the Home Assistant app: buttons of the notification, or a text. https://companion.home-assistant.io/docs/notifications/actionable-notifications
import type { Button, OnReply, ReceivedReply } from "../../../model/answer.ts";
import type { AnswerTransport, ChannelTools, ListenFailure } from "../../channel-type.ts";
import type { Resolved } from "../../../model/privacy/secret.ts";
import { cut, printableLine } from "../../../model/text.ts";
import { openWebSocket } from "../../../system/network/websocket.ts";
import { serverUrl } from "../../vendor-request.ts";
import { forApp, notify, notifyOfQuestion, renderCard, type AppSettings } from "./app-api.ts";
import { type Members, objectOf } from "../../../model/json.ts";

const callTimeoutMs = 15_000;
const event = "mobile_app_notification_action";
/** Other automations have actions of their own. */
const ours = "hookbell-";
const replyAction = `${ours}reply`;
/** Android shows no more. */
const maxActions = 3;
/** hookbell's own limit. */
const maxLabel = 40;

export const appAnswers: AnswerTransport<AppSettings> = {
  render: renderCard,
  // One button is for an answer in words.
  maxButtons: maxActions - 1,
  takesReplies: true,
  namesSender: true,
  credentialOf: ({ server, token }) => `${server.reveal()} ${token.reveal()}`,
  async listen(settings, onReply, tools) {
    const url = serverUrl(settings.server.reveal(), "/api/websocket").replace(/^http/i, "ws");
    let failure: ListenFailure | undefined;
    const opening = openWebSocket({ url, isPlainAllowed: settings.allowHttp }, tools, (message) => {
      void opening.then(({ send, close }) => {
        if (message.type === "auth_required") send({ type: "auth", access_token: settings.token.reveal() });
        else if (message.type === "auth_ok") send({ id: 1, type: "subscribe_events", event_type: event });
        else if (message.type === "event") take(settings, objectOf(message.event), onReply, tools);
        failure ??= readRefusal(message);
        if (failure !== undefined) close(1000);
      });
    });
    const { detail } = await (await opening).ended;
    return failure ?? detail;
  },
  async close(settings, { tag = "" }, card, tools) {
    const request = notifyOfQuestion(settings, card, "PermissionRequest", { tag });
    const answer = await tools.http(request, { timeoutMs: callTimeoutMs, signal: tools.signal });
    if ("detail" in answer) throw new Error(answer.detail);
    if (answer.status !== 200) throw new Error(`Home Assistant answered ${answer.status}`);
  },
};

/** https://developers.home-assistant.io/docs/api/websocket#authentication-phase */
function readRefusal({ type, success, error }: Members): ListenFailure | undefined {
  if (type === "auth_invalid") {
    return {
      final:
        'Home Assistant refuses the token; create a new one in your profile, under Security, and set it as "token"',
    };
  }
  if (type !== "result" || success !== false) return undefined;
  const { code } = objectOf(error);
  if (code !== "unauthorized") return `Home Assistant does not report pressed buttons (${printableLine(String(code))})`;
  return {
    final:
      "Home Assistant reports pressed buttons to administrators only; create the token with an administrator's account",
  };
}

/** What a question's notification adds. The tag comes back: from Android as such, from iOS in `action_data`. */
export function askingData(buttons: readonly Button[], tag: string): Parameters<typeof notify>[3] {
  const actions = buttons.slice(0, maxActions).map(({ choice, label, nonce }) => ({
    action: `${ours}${nonce}`,
    title: cut(forApp(label), maxLabel),
    // Only a person who can unlock the phone can say yes.
    authenticationRequired: choice !== "deny",
    destructive: choice === "deny",
  }));
  const reply = { action: replyAction, title: "Reply", behavior: "textInput", authenticationRequired: true };
  return { tag, action_data: { tag }, actions: actions.length < maxActions ? [...actions, reply] : actions };
}

function take(
  settings: Resolved<AppSettings>,
  { data: given, context }: Members,
  onReply: OnReply,
  tools: ChannelTools,
): void {
  const data = objectOf(given);
  const { action, reply_text: text } = data;
  if (typeof action !== "string" || !action.startsWith(ours)) return;
  const tag = data.tag ?? objectOf(data.action_data).tag;
  if (typeof tag !== "string" || !tag.startsWith(ours)) return;
  const sender = senderOf(context, data.sourceDeviceName);
  const received =
    action === replyAction
      ? { sender, reply: { text: typeof text === "string" ? text : "", to: { tag } } }
      : { sender, nonce: action.slice(ours.length) };
  const said = onReply(received);
  if (said === undefined) return;
  // The press has removed the notification, so this takes its place until the question is closed.
  const message = { title: "hookbell", body: said, level: "info" as const, fields: [] };
  void tools.http(notify(settings, message, "", { tag }), { timeoutMs: callTimeoutMs, signal: tools.signal });
}

/** The account that the app is logged in with: Home Assistant puts it into the event's context. */
function senderOf(context: unknown, device: unknown): ReceivedReply["sender"] {
  const { user_id: id } = objectOf(context);
  if (typeof id !== "string" || id === "") return undefined;
  return {
    id,
    name: typeof device === "string" && device !== "" ? printableLine(device) : `account ${id.slice(0, 8)}`,
  };
}

/** The tag of a question's notification. */
export function tagOf(deliveryId: string): string {
  return `${ours}${deliveryId}`;
}
