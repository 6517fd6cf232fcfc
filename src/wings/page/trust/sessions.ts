// The sessions of the page: each tab has a key with this process of the server, and signs each of its requests.
import { sha256, hmacSha256, isSameDigest } from "../../../system/crypto.ts";
import { answerText, requestText } from "./contract.ts";

/** A tab has one. With more, the one that was used least lately ends, and its tab opens another. */
export const maxSessionsOfDevice = 16;
/** Requests of one tab overtake each other, but not so many. */
const numberWindow = 256;
/** Who repeats an exchange that was overheard must not open its session anew. */
const maxRemembered = 10_000;

interface TabSession {
  id: string;
  device: string;
  key: Uint8Array | string;
}

interface OpenSession extends TabSession {
  highest: number;
  seen: Set<number>;
}

export interface SignedRequest {
  method: string;
  /** The path with the query. */
  path: string;
  header: string;
}

export interface Signed {
  device: string;
  number: number;
  bodyDigest: string;
  /** What the answer with this status carries. */
  proofOf(status: number): string;
}

export interface Sessions {
  /** False for a session that was opened before. */
  open(session: TabSession): boolean;
  /** Undefined for a request that is not signed, altered, or was sent before. */
  take(request: SignedRequest): Signed | undefined;
}

export function createSessions(): Sessions {
  /** Those that were used least lately come first. */
  const open = new Map<string, OpenSession>();
  const remembered = new Set<string>();
  const makeRoom = (device: string): void => {
    const own = [...open.values()].filter((session) => session.device === device);
    if (own[0] !== undefined && own.length >= maxSessionsOfDevice) open.delete(own[0].id);
  };
  return {
    open(session) {
      if (remembered.has(session.id)) return false;
      remembered.add(session.id);
      const [oldest] = remembered;
      if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest);
      makeRoom(session.device);
      open.set(session.id, { ...session, highest: 0, seen: new Set() });
      return true;
    },
    take({ method, path, header }) {
      const [, id = "", digits = "", bodyDigest = "", mac = ""] =
        /^([0-9a-f]{64})\.(\d{1,15})\.([0-9a-f]{64})\.([\w+/=]{44})$/.exec(header) ?? [];
      const session = open.get(id);
      if (session === undefined) return undefined;
      const number = Number(digits);
      if (!isSameDigest(hmacSha256(session.key, requestText(number, method, path, bodyDigest)), mac)) return undefined;
      if (!takeNumber(session, number)) return undefined;
      open.delete(id);
      open.set(id, session);
      const proofOf = (status: number): string => hmacSha256(session.key, answerText(number, status));
      return { device: session.device, number, bodyDigest, proofOf };
    },
  };
}

/** False for a number that was used, or that is so far behind that this is not known any more. */
function takeNumber(session: OpenSession, number: number): boolean {
  if (number <= session.highest - numberWindow || session.seen.has(number)) return false;
  session.seen.add(number);
  session.highest = Math.max(session.highest, number);
  for (const old of session.seen) {
    if (old > session.highest - numberWindow) break;
    session.seen.delete(old);
  }
  return true;
}

/** The id is the digest of a statement that both sides have. */
export function sessionIdOf(statement: string): string {
  return sha256(statement);
}
