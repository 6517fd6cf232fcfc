// Discord's HTTP API and gateway for one bot, on loopback: https://discord.com/developers/docs/events/gateway
import type { WebSocket } from "ws";
import { readLine, say, startPretendServer, type Asked, type Card, type PretendService } from "./pretend-service.ts";

const botToken = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDE.s3cretTokenOfDiscordBot-1234567890";
const channelId = "112233445566778899";

export interface PretendDiscord extends PretendService {
  /** What the gateway was asked: `identify`, `resume`. */
  asked: string[];
  heartbeats(): number;
  /** Heartbeats get no answer from now on, though the connection stands. */
  goSilent(): void;
  /** Op 7: the client must connect again. */
  askToReconnect(): void;
  /** The session cannot be taken up any more. */
  forgetSessions(): void;
  /** Closes with this code. */
  closeWith(code: number): void;
  /** `GET /gateway/bot` says that so many sessions may be started. */
  allowSessions(count: number): void;
}

interface Session {
  id: string;
  line: WebSocket | undefined;
  events: { op: 0; t: string; s: number; d: object }[];
}

interface Embed {
  title: string;
  description?: string;
  fields?: { name: string; value: string }[];
}

/** Discord asks for a heartbeat about as often. */
const usualBeatMs = 41_250;

/**
 * `beatMs` is how often heartbeats come until the gateway goes silent. Where they come often, a busy machine misses one, and
 * the client connects again: only tests of heartbeats ask for that.
 */
export async function startPretendDiscord({ beatMs = usualBeatMs } = {}): Promise<PretendDiscord> {
  const interactions = new Map<string, { isAnswered: boolean }>();
  const messages = new Map<string, Card>();
  let sessions: Session[] = [];
  let count = 1_330_000_000_000_000;
  let heartbeats = 0;
  let isSilent = false;
  let remaining = 1000;

  const send = (session: Session, t: string, d: object): void => {
    const event = { op: 0 as const, t, s: session.events.length + 1, d };
    session.events.push(event);
    if (session.line !== undefined) say(session.line, event);
  };

  const answer = ({ method, path, headers, body }: Asked): [number, object | string] => {
    const callback = /^\/api\/v10\/interactions\/(\d+)\/t\1\/callback$/.exec(path);
    if (callback !== null) {
      const interaction = interactions.get(callback[1] ?? "");
      if (interaction === undefined) return [404, { code: 10062, message: "Unknown interaction" }];
      if (interaction.isAnswered) return [400, { code: 40060, message: "Already acknowledged" }];
      interaction.isAnswered = true;
      const { content, flags } = (body.data ?? {}) as { content?: string; flags?: number };
      if (body.type !== 4 || flags !== 64) return [400, { code: 50035, message: "Invalid Form Body" }];
      discord.told.push((content ?? "").replaceAll("\\", ""));
      return [204, ""];
    }
    if (headers.authorization !== `Bot ${botToken}`) return [401, { code: 0, message: "401: Unauthorized" }];
    if (path === "/api/v10/gateway/bot") {
      const limit = { total: 1000, remaining, reset_after: 1, max_concurrency: 1 };
      return [200, { url: server.origin.replace("http", "ws"), shards: 1, session_start_limit: limit }];
    }
    const [, channel, id] = /^\/api\/v10\/channels\/(\d+)\/messages(?:\/(\d+))?$/.exec(path) ?? [];
    if (channel !== channelId) return [404, { code: 10003, message: "Unknown Channel" }];
    if (method === "POST") {
      const card = { ...shownIn(body), earlier: [] };
      const made = String((count += 1));
      messages.set(made, card);
      discord.cards.push(card);
      return [200, { id: made, channel_id: channelId }];
    }
    const card = messages.get(id ?? "");
    if (card === undefined) return [404, { code: 10008, message: "Unknown Message" }];
    card.earlier.push(card.text);
    Object.assign(card, shownIn(body));
    return [200, { id, channel_id: channelId }];
  };

  const server = await startPretendServer(answer, (line, path) => {
    if (!path.endsWith("?v=10&encoding=json")) return line.close(4012);
    let session: Session | undefined;
    let isIdentified = false;
    say(line, { op: 10, d: { heartbeat_interval: isSilent ? usualBeatMs : beatMs } });
    line.on("close", () => {
      if (session?.line === line) session.line = undefined;
    });
    readLine(line, ({ op, d }) => {
      const given = (d ?? {}) as { token?: string; intents?: number; session_id?: string; seq?: number };
      if (op === 1) {
        heartbeats += 1;
        if (!isSilent) say(line, { op: 11 });
        return;
      }
      if (isIdentified) return line.close(4005);
      isIdentified = true;
      if (given.token !== botToken) return line.close(4004);
      if (op === 2) {
        discord.asked.push("identify");
        if (given.intents !== 0) return line.close(4014);
        session = { id: `session-${(count += 1)}`, line, events: [] };
        sessions.push(session);
        const url = `${server.origin.replace("http", "ws")}/resume`;
        return send(session, "READY", { v: 10, session_id: session.id, resume_gateway_url: url, guilds: [] });
      }
      discord.asked.push("resume");
      if (!path.startsWith("/resume")) return line.close(4000);
      session = sessions.find(({ id }) => id === given.session_id);
      if (session === undefined) return say(line, { op: 9, d: false });
      session.line = line;
      for (const event of session.events.filter(({ s }) => s > (given.seq ?? 0))) say(line, event);
      send(session, "RESUMED", {});
    });
  });

  const discord: PretendDiscord = {
    channel: { type: "discord", token: botToken, channel: channelId, apiUrl: `${server.origin}/api/v10` },
    ann: "200000000000000001",
    mallory: "200000000000000666",
    cards: [],
    told: [],
    asked: [],
    isListening: () => sessions.some(({ line }) => line !== undefined),
    connections: server.connections,
    heartbeats: () => heartbeats,
    press(by, _card, nonce) {
      const id = String((count += 1));
      interactions.set(id, { isAnswered: false });
      const user = { id: by, username: "ann", global_name: "Ann" };
      const data = { custom_id: nonce, component_type: 2 };
      const given = { id, token: `t${id}`, type: 3, version: 1, data, channel_id: channelId, member: { user } };
      for (const session of sessions) send(session, "INTERACTION_CREATE", given);
    },
    goSilent() {
      isSilent = true;
    },
    askToReconnect() {
      for (const { line } of sessions) if (line !== undefined) say(line, { op: 7, d: null });
    },
    forgetSessions() {
      sessions = [];
      server.cut();
    },
    closeWith(code) {
      for (const line of server.lines) line.close(code);
    },
    allowSessions(left) {
      remaining = left;
    },
    cut: server.cut,
    close: server.close,
  };
  return discord;
}

function shownIn(body: Record<string, unknown>): Pick<Card, "text" | "buttons"> {
  const [embed] = body.embeds as Embed[];
  const rows = (body.components ?? []) as { components: { label: string; custom_id: string }[] }[];
  const lines = [
    embed?.title,
    embed?.description,
    ...(embed?.fields ?? []).map(({ name, value }) => `${name}: ${value}`),
  ];
  return {
    text: lines.join("\n").replaceAll("\\", ""),
    buttons: rows.flatMap(({ components }) => components).map(({ label, custom_id: nonce }) => ({ label, nonce })),
  };
}
