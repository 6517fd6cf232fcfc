// A Matrix homeserver with one room, on loopback, that behaves as the specification says: https://spec.matrix.org/latest/client-server-api/#syncing
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export const matrixRoom = "!room:example.org";
export const matrixToken = "syt_hookbell_0123456789";
export const bot = "@hookbell:example.org";
export const annOfMatrix = "@ann:example.org";
export const malloryOfMatrix = "@mallory:example.org";

interface Relation {
  rel_type?: string;
  event_id?: string;
  key?: string;
  "m.in_reply_to"?: { event_id: string };
}

export interface MatrixEvent {
  event_id: string;
  type: string;
  sender: string;
  content: { body?: string; msgtype?: string; "m.relates_to"?: Relation; "m.new_content"?: { body: string } };
}

export interface PretendMatrix {
  origin: string;
  /** Of the room, in order. */
  events: MatrixEvent[];
  /** The bot's messages that are no edit and no reply. */
  cards(): MatrixEvent[];
  /** What the bot offers below a message. */
  reactionsTo(card: MatrixEvent | undefined): (string | undefined)[];
  react(by: string, card: MatrixEvent, key: string): void;
  write(by: string, body: string, related?: Relation): void;
  /** Whether a program waits for news. */
  isPolled(): boolean;
  /** How often the room was read from its beginning. */
  firstReads: number;
  /** Ends what waits; with `isDown`, nothing more is answered. */
  cut(isDown?: boolean): void;
  /** The next requests are too many. */
  limit(count: number, retryAfterMs: number): void;
  close(): Promise<void>;
}

export async function startPretendMatrix({ isEncrypted = false } = {}): Promise<PretendMatrix> {
  const events: MatrixEvent[] = [];
  const done = new Map<string, string>();
  let poll: { response: ServerResponse; since: number; timer: NodeJS.Timeout } | undefined;
  let isDown = false;
  let limited = { count: 0, retryAfterMs: 0 };

  const reply = (response: ServerResponse, status: number, body: object): void => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  };
  const refuse = (response: ServerResponse, status: number, errcode: string, more: object = {}): void =>
    reply(response, status, { errcode, error: errcode, ...more });
  const newsFor = (since: number): MatrixEvent[] =>
    events.slice(since).filter(({ sender, type }) => sender !== bot && /^m\.(?:room\.message|reaction)$/.test(type));
  const answerPoll = (response: ServerResponse, timeline: readonly MatrixEvent[], limit: number): void => {
    const shown = timeline.slice(-limit);
    const room = { timeline: { events: shown, limited: shown.length < timeline.length, prev_batch: "p0" } };
    const join = shown.length === 0 ? {} : { [matrixRoom]: room };
    reply(response, 200, { next_batch: `s${events.length}`, rooms: { join } });
  };
  const add = (sender: string, type: string, content: MatrixEvent["content"]): string => {
    const id = `$event${events.length + 1}`;
    events.push({ event_id: id, type, sender, content });
    if (poll !== undefined && newsFor(poll.since).length > 0) {
      const { response, since, timer } = poll;
      clearTimeout(timer);
      poll = undefined;
      answerPoll(response, newsFor(since), 100);
    }
    return id;
  };
  const sync = (response: ServerResponse, query: URLSearchParams): void => {
    const { room } = JSON.parse(query.get("filter") ?? "{}") as {
      room: { rooms: string[]; timeline: { types: string[]; not_senders: string[]; limit: number } };
    };
    const { types, not_senders: others, limit } = room.timeline;
    const isExpected = room.rooms[0] === matrixRoom && types.length === 2 && others[0] === bot;
    if (!isExpected) return refuse(response, 400, "M_INVALID_PARAM");
    const token = query.get("since");
    if (token === null) matrix.firstReads += 1;
    const since = Number(token?.slice(1) ?? 0);
    const waitMs = Number(query.get("timeout") ?? 0);
    if (newsFor(since).length > 0 || waitMs === 0) return answerPoll(response, newsFor(since), limit);
    const timer = setTimeout(() => {
      poll = undefined;
      answerPoll(response, [], limit);
    }, waitMs);
    poll = { response, since, timer };
    response.on("close", () => {
      if (poll?.response !== response) return;
      clearTimeout(timer);
      poll = undefined;
    });
  };
  const handle = (method: string, url: URL, body: string, response: ServerResponse): void => {
    if (limited.count > 0) {
      limited = { ...limited, count: limited.count - 1 };
      return refuse(response, 429, "M_LIMIT_EXCEEDED", { retry_after_ms: limited.retryAfterMs });
    }
    const path = decodeURIComponent(url.pathname.replace("/_matrix/client/v3/", ""));
    if (path === "account/whoami") return reply(response, 200, { user_id: bot });
    if (path === "sync") return sync(response, url.searchParams);
    const inRoom = path.startsWith(`rooms/${matrixRoom}/`) ? path.slice(`rooms/${matrixRoom}/`.length) : "";
    if (inRoom === "state/m.room.encryption") {
      if (isEncrypted) return reply(response, 200, { algorithm: "m.megolm.v1.aes-sha2" });
      return refuse(response, 404, "M_NOT_FOUND");
    }
    const [what, type = "", transaction = ""] = inRoom.split("/");
    if (method === "GET" && what === "event") {
      const event = events.find((each) => each.event_id === type);
      return event === undefined ? refuse(response, 404, "M_NOT_FOUND") : reply(response, 200, event);
    }
    if (method !== "PUT" || what !== "send") return refuse(response, 404, "M_UNRECOGNIZED");
    const id = done.get(transaction) ?? add(bot, type, JSON.parse(body) as MatrixEvent["content"]);
    done.set(transaction, id);
    reply(response, 200, { event_id: id });
  };
  const server = createServer((request, response) => {
    if (isDown) return request.socket.destroy();
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const isKnown = request.headers.authorization === `Bearer ${matrixToken}`;
      if (!isKnown) return refuse(response, 401, "M_UNKNOWN_TOKEN");
      const body = Buffer.concat(chunks).toString("utf8");
      handle(request.method ?? "", new URL(request.url ?? "/", "http://matrix"), body, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const matrix: PretendMatrix = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    events,
    cards: () =>
      events.filter(
        ({ sender, type, content }) =>
          sender === bot && type === "m.room.message" && content["m.relates_to"] === undefined,
      ),
    reactionsTo: (card) =>
      events
        .map(({ sender, type, content }) => ({ sender, type, related: content["m.relates_to"] }))
        .filter(
          ({ sender, type, related }) =>
            sender === bot && type === "m.reaction" && related?.event_id === card?.event_id,
        )
        .map(({ related }) => related?.key),
    react: (by, { event_id: id }, key) =>
      void add(by, "m.reaction", { "m.relates_to": { rel_type: "m.annotation", event_id: id, key } }),
    write: (by, body, related) =>
      void add(by, "m.room.message", { msgtype: "m.text", body, ...(related && { "m.relates_to": related }) }),
    isPolled: () => poll !== undefined,
    firstReads: 0,
    cut(nowDown = false) {
      isDown = nowDown;
      poll?.response.destroy();
    },
    limit(count, retryAfterMs) {
      limited = { count, retryAfterMs };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return matrix;
}
