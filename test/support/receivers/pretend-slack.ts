// Slack's Web API and Socket Mode for one app, on loopback: https://docs.slack.dev/apis/events-api/using-socket-mode
import type { WebSocket } from "ws";
import { readLine, say, startPretendServer, type Asked, type Card, type PretendService } from "./pretend-service.ts";

const botToken = "xoxb-1111-2222-s3cretTokenOfSlackBot";
const appToken = "xapp-1-A0-1111-s3cretTokenOfSlackApp";

export interface PretendSlack extends PretendService<SlackCard> {
  /** Envelopes without an acknowledgement. */
  unacknowledged(): number;
  /** A person writes in the thread of a card. */
  reply(by: string, card: SlackCard, text: string): void;
  /** The last envelope once more, as when its acknowledgement was lost. */
  repeatLast(): void;
  /** Slack announces that it will close the connections, and closes the old ones once there is a new one. */
  refresh(reason: string): void;
  /** `apps.connections.open` answers so from now on. */
  refuseConnections(error: string | undefined): void;
}

interface SlackCard extends Card {
  channel: string;
  ts: string;
}

interface Block {
  type: string;
  text?: { text: string };
  elements?: { text: { text: string } | string; value?: string }[];
}

export async function startPretendSlack(): Promise<PretendSlack> {
  const tickets = new Set<string>();
  const ready: WebSocket[] = [];
  const leaving = new Set<WebSocket>();
  const open = new Map<string, object>();
  let last: object = {};
  let refusal: string | undefined;
  let count = 0;

  const methods: Record<string, (asked: Asked, given: Record<string, unknown>) => object> = {
    "apps.connections.open"({ headers }) {
      if (headers.authorization !== `Bearer ${appToken}`) return { ok: false, error: "invalid_auth" };
      if (refusal !== undefined) return { ok: false, error: refusal };
      const ticket = String((count += 1));
      tickets.add(ticket);
      return { ok: true, url: `${server.origin.replace("http", "ws")}/link/?ticket=${ticket}&app_id=A0` };
    },
    "chat.postMessage"(_, given) {
      const { channel, thread_ts: thread, text } = given;
      const ts = `1763730000.${String((count += 1)).padStart(6, "0")}`;
      if (thread === undefined) slack.cards.push({ ...shownIn(given), earlier: [], channel: "C0123456789", ts });
      else slack.told.push(String(text));
      return { ok: true, channel: thread === undefined ? "C0123456789" : channel, ts };
    },
    "chat.update"(_, given) {
      const card = slack.cards.find(({ channel, ts }) => channel === given.channel && ts === given.ts);
      if (card === undefined) return { ok: false, error: "message_not_found" };
      card.earlier.push(card.text);
      Object.assign(card, shownIn(given));
      return { ok: true, channel: card.channel, ts: card.ts };
    },
  };

  const server = await startPretendServer(
    (asked) => {
      if (asked.path.startsWith("/actions/")) {
        if (asked.body.response_type !== "ephemeral" || asked.body.replace_original !== false) return [400, "no"];
        slack.told.push(String(asked.body.text));
        return [200, "ok"];
      }
      const method = asked.path.replace("/api/", "");
      if (method !== "apps.connections.open" && asked.headers.authorization !== `Bearer ${botToken}`)
        return [200, { ok: false, error: "invalid_auth" }];
      return [200, methods[method]?.(asked, asked.body) ?? { ok: false, error: "unknown_method" }];
    },
    (line, path) => {
      // A ticket counts once.
      if (!tickets.delete(/ticket=(\d+)/.exec(path)?.[1] ?? "")) return line.close(1008);
      readLine(line, ({ envelope_id: id }) => open.delete(String(id)));
      const remove = (gone: WebSocket): void =>
        void ready.splice(0, ready.length, ...ready.filter((each) => each !== gone));
      line.on("close", () => remove(line));
      ready.push(line);
      say(line, { type: "hello", num_connections: ready.length, connection_info: { app_id: "A0" }, debug_info: {} });
      for (const old of leaving) {
        remove(old);
        old.close(1000);
      }
      leaving.clear();
    },
  );

  /** To one of the connections, the oldest: an app must serve all that it has. */
  const send = (type: string, payload: object): void => {
    const id = `e${(count += 1)}`;
    last = { envelope_id: id, type, payload, accepts_response_payload: type === "interactive" };
    if (ready[0] === undefined) return;
    open.set(id, last);
    say(ready[0], last);
  };

  const slack: PretendSlack = {
    channel: { type: "slack", token: botToken, appToken, channel: "#agents", apiUrl: `${server.origin}/api` },
    ann: "U0ANN",
    mallory: "U0MALLORY",
    cards: [],
    told: [],
    isListening: () => ready.length > 0,
    connections: server.connections,
    press(by, card, nonce) {
      const { channel, ts } = card as SlackCard;
      send("interactive", {
        type: "block_actions",
        user: { id: by, username: "ann", name: "ann", team_id: "T0" },
        api_app_id: "A0",
        container: { type: "message", message_ts: ts, channel_id: channel, is_ephemeral: false },
        channel: { id: channel, name: "agents" },
        message: { ts, text: card.text },
        response_url: `${server.origin}/actions/T0/1/x`,
        actions: [{ action_id: "answer-0", block_id: "b", type: "button", value: nonce, action_ts: "1763730001.1" }],
      });
    },
    reply(by, { channel, ts }, text) {
      const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
      const event = { type: "message", user: by, text: escaped, channel, thread_ts: ts, ts: "1763730002.000001" };
      send("events_api", { type: "event_callback", team_id: "T0", event_id: `Ev${(count += 1)}`, event });
    },
    repeatLast() {
      if (ready[0] !== undefined) say(ready[0], { ...last, retry_attempt: 1, retry_reason: "timeout" });
    },
    refresh(reason) {
      for (const line of ready) {
        leaving.add(line);
        say(line, { type: "disconnect", reason, debug_info: {} });
      }
    },
    refuseConnections(error) {
      refusal = error;
    },
    unacknowledged: () => open.size,
    cut: server.cut,
    close: server.close,
  };
  return slack;
}

function shownIn({ blocks }: Record<string, unknown>): Pick<Card, "text" | "buttons"> {
  const all = blocks as Block[];
  const textOf = (text: { text: string } | string | undefined): string =>
    (typeof text === "string" ? text : text?.text) ?? "";
  const actions = all.filter(({ type }) => type === "actions").flatMap(({ elements = [] }) => elements);
  const others = all.filter(({ type }) => type !== "actions");
  return {
    text: others
      .map(({ text, elements = [] }) => [text, ...elements.map((each) => each.text)].map(textOf).join("\n"))
      .join("\n"),
    buttons: actions.map(({ text, value = "" }) => ({ label: textOf(text), nonce: value })),
  };
}
