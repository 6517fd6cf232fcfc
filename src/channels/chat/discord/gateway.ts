// One connection to Discord's gateway, and what the next one needs to take it up: https://discord.com/developers/docs/events/gateway
import type { ChannelTools } from "../../channel-type.ts";
import { openWebSocket, type WebSocketLine } from "../../../system/network/websocket.ts";
import { withQuery } from "../../vendor-request.ts";
import { type Members, objectOf } from "../../../model/json.ts";

/** https://discord.com/developers/docs/topics/opcodes-and-status-codes#gateway */
const operations = {
  dispatch: 0,
  beat: 1,
  identify: 2,
  resume: 6,
  reconnect: 7,
  invalidSession: 9,
  hello: 10,
  ack: 11,
};
const resumable = 4000;
/** The next try starts a new session. */
const sessionIsOver: ReadonlySet<number> = new Set([1000, 4003, 4007, 4009]);
const usualBeatMs = 45_000;

/** What a new connection needs to hear what was missed: https://discord.com/developers/docs/events/gateway#resuming */
export interface GatewaySession {
  id: string;
  url: string;
  sequence: number | null;
}

export interface Gateway {
  token: string;
  url: string;
  isPlainAllowed: boolean | undefined;
  /** The session that can be taken up again. */
  session: GatewaySession | undefined;
  onEvent(name: unknown, event: Members): void;
}

export interface GatewayEnd {
  /** Discord's close code. */
  code: number;
  detail: string;
  /** The session that can be taken up; undefined if it is over. */
  session: GatewaySession | undefined;
  /** Whether Discord had taken the token or the session. */
  isReady: boolean;
}

/** Resolves when the connection has ended. */
export async function serveConnection(
  { token, url: address, isPlainAllowed, session: earlier, onEvent }: Gateway,
  tools: ChannelTools,
): Promise<GatewayEnd> {
  let session = earlier;
  let sequence = session?.sequence ?? null;
  let isReady = false;
  let isAnswered = true;
  let cancelBeat = (): void => {};
  const beat = (line: WebSocketLine): void => line.send({ op: operations.beat, d: sequence });
  let everyMs = usualBeatMs;
  const keepBeating = (line: WebSocketLine, afterMs: number): void => {
    cancelBeat = tools.clock.after(afterMs, () => {
      // A connection that only looks alive.
      if (!isAnswered) return line.close(resumable);
      isAnswered = false;
      beat(line);
      keepBeating(line, everyMs);
    });
  };
  const take = (line: WebSocketLine, { op, d, s, t }: Members): void => {
    if (typeof s === "number") sequence = s;
    const given = objectOf(d);
    if (op === operations.hello) {
      everyMs = Number(given.heartbeat_interval) || usualBeatMs;
      keepBeating(line, everyMs * tools.random());
      line.send(session === undefined ? identify(token) : resume(token, session));
    } else if (op === operations.beat) beat(line);
    else if (op === operations.ack) isAnswered = true;
    else if (op === operations.reconnect) line.close(resumable);
    else if (op === operations.invalidSession) {
      if (d !== true) session = undefined;
      line.close(resumable);
    } else if (t === "READY") {
      const { session_id: id, resume_gateway_url: url } = given;
      if (typeof id === "string" && typeof url === "string") session = { id, url, sequence };
      isReady = true;
    } else if (t === "RESUMED") isReady = true;
    else onEvent(t, given);
  };
  const url = withQuery(address, { v: "10", encoding: "json" });
  const opening = openWebSocket({ url, isPlainAllowed }, tools, (message) => {
    void opening.then((line) => take(line, message));
  });
  const { code, detail } = await (await opening).ended;
  cancelBeat();
  if (sessionIsOver.has(code) || session === undefined) return { code, detail, isReady, session: undefined };
  return { code, detail, isReady, session: { ...session, sequence } };
}

/** Presses of buttons need no intent: https://discord.com/developers/docs/events/gateway#list-of-intents */
function identify(token: string): object {
  const properties = { os: "any", browser: "hookbell", device: "hookbell" };
  return { op: operations.identify, d: { token, intents: 0, properties } };
}

function resume(token: string, { id, sequence }: GatewaySession): object {
  return { op: operations.resume, d: { token, session_id: id, seq: sequence } };
}
