// Home Assistant with one phone that has its app, on loopback: https://developers.home-assistant.io/docs/api/websocket
import type { WebSocket } from "ws";
import { readLine, say, startPretendServer, type Asked, type Card, type PretendService } from "./pretend-service.ts";

const accessToken = "eyJhbGciOiJIUzI1NiJ9.s3cretTokenOfHome";
const device = "mobile_app_pixel_8";

export interface PretendHomeAssistant extends PretendService<AppCard> {
  /** The person writes a text below the notification. */
  reply(by: string, card: AppCard, text: string): void;
  /** Something else in the house sends an event of the same type. */
  fire(data: object, context: object): void;
  /** From now on the token is wrong, or its account is no administrator. */
  refuse(how: "token" | "account"): void;
}

interface AppCard extends Card {
  tag: string;
  hasReply: boolean;
}

interface Notification {
  title: string;
  message: string;
  data: { tag: string; action_data?: object; actions?: Action[] };
}

interface Action {
  action: string;
  title: string;
  behavior?: string;
}

/** `system`: Android's app returns all data, the iPhone's only `action_data`. */
export async function startPretendHomeAssistant(system: "android" | "ios" = "android"): Promise<PretendHomeAssistant> {
  const subscribed = new Map<WebSocket, number>();
  const sent = new Map<string, Notification>();
  let refusal: "token" | "account" | undefined;

  const answer = ({ method, path, headers, body }: Asked): [number, object | string] => {
    if (headers.authorization !== `Bearer ${accessToken}`) return [401, "401: Unauthorized"];
    if (method !== "POST" || path !== `/api/services/notify/${device}`) return [400, "400: Bad Request"];
    const notification = body as unknown as Notification;
    const { tag, actions = [] } = notification.data;
    // Home Assistant would fill in templates, and the app would read HTML.
    if (/\{[{%#]|[<&]/.test(notification.title + notification.message)) return [500, "500: Internal Server Error"];
    const shown = shownIn(notification);
    const card = home.cards.find((each) => each.tag === tag);
    sent.set(tag, notification);
    if (actions.length > 3) return [500, "500: Internal Server Error"];
    if (card === undefined) home.cards.push({ ...shown, tag, earlier: [] });
    else if (notification.title === "hookbell") home.told.push(notification.message.replaceAll("\u2060", ""));
    else {
      card.earlier.push(card.text);
      Object.assign(card, shown);
    }
    return [200, []];
  };

  const server = await startPretendServer(answer, (line, path) => {
    if (path !== "/api/websocket") return line.close(1008);
    let isKnown = false;
    let lastId = 0;
    say(line, { type: "auth_required", ha_version: "2026.11.1" });
    line.on("close", () => subscribed.delete(line));
    readLine(line, ({ type, access_token: token, id, event_type: event }) => {
      if (!isKnown) {
        isKnown = type === "auth" && token === accessToken && refusal !== "token";
        if (isKnown) return say(line, { type: "auth_ok", ha_version: "2026.11.1" });
        say(line, { type: "auth_invalid", message: "Invalid access token or password" });
        return line.close();
      }
      // Ids must increase.
      if (typeof id !== "number" || id <= lastId) return say(line, { id, type: "result", success: false });
      lastId = id;
      if (type !== "subscribe_events" || event !== "mobile_app_notification_action") return line.close();
      if (refusal === "account") {
        const error = { code: "unauthorized", message: "Unauthorized" };
        return say(line, { id, type: "result", success: false, error });
      }
      subscribed.set(line, id);
      say(line, { id, type: "result", success: true, result: null });
    });
  });

  const fire = (data: object, context: object): void => {
    const event = { event_type: "mobile_app_notification_action", data, origin: "REMOTE", context };
    for (const [line, id] of subscribed) say(line, { id, type: "event", event });
  };
  const act = (by: string, card: Card, action: object): void => {
    const { tag } = card as AppCard;
    const { action_data: own, ...data } = sent.get(tag)?.data ?? { tag };
    const returned = system === "ios" ? { action_data: own, sourceDeviceName: "Ann's iPhone" } : data;
    fire({ ...returned, ...action }, { id: "01J", parent_id: null, user_id: by });
  };

  const home: PretendHomeAssistant = {
    channel: { type: "home-assistant-app", server: server.origin, token: accessToken, device },
    ann: "31ddb597e03147118cf8d2f8fbea5553",
    mallory: "66666666e03147118cf8d2f8fbea5553",
    cards: [],
    told: [],
    isListening: () => subscribed.size > 0,
    connections: server.connections,
    press: (by, card, nonce) => act(by, card, { action: nonce.startsWith("hookbell-") ? nonce : `hookbell-${nonce}` }),
    reply: (by, card, text) => act(by, card, { action: "hookbell-reply", reply_text: text }),
    fire,
    refuse(how) {
      refusal = how;
      server.cut();
    },
    cut: server.cut,
    close: server.close,
  };
  return home;
}

function shownIn({ title, message, data: { actions = [] } }: Notification): Omit<AppCard, "tag" | "earlier"> {
  const buttons = actions.filter(({ behavior }) => behavior !== "textInput");
  return {
    text: `${title}\n${message}`.replaceAll("＆", "&"),
    buttons: buttons.map(({ title: label, action: nonce }) => ({ label, nonce })),
    hasReply: buttons.length < actions.length,
  };
}
