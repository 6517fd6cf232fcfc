// What the page and its server say to each other before they trust each other, and the texts that both sign. Keys, digests
// and signatures travel as text: keys and signatures in base64url, results of HMAC in base64, digests in hex.

/** The browser's session, the request's number in it, the digest of its body, and the HMAC of all of it, with dots between. */
export const sessionHeader = "x-hookbell-session";
/** The server's HMAC of the same number and its answer's status: no other program can answer for it. */
export const proofHeader = "x-hookbell-proof";

/** The body of `POST /page/hello`. It says nothing of the browser. */
export interface Hello {
  nonce: string;
  /** The public key of a pair that is made for this exchange. */
  exchange: string;
  /** A browser that 1.0.0-rc.1 has paired asks for what the server knows of its old key. */
  isOld?: boolean | undefined;
}

export interface Greeting {
  /** Its fingerprint is in the pairing link; a paired browser keeps the key. */
  publicKey: string;
  exchange: string;
  /** The signature of `statement("server", ...)`. */
  signature: string;
  /** The HMAC of `statement("oldServer", ...)` under each digest of an old key, for one that asked. */
  old?: readonly string[] | undefined;
}

/** That the server has given this document itself to a browser that opened it. The secret is never sent back. */
export interface TicketProof {
  id: string;
  /** The HMAC of the signed statement under the ticket's secret. */
  proof: string;
}

interface Proven extends Omit<Hello, "isOld"> {
  ticket: TicketProof;
  /** The browser's signature of the statement. */
  signature: string;
}

/** The body of `POST /page/session`. */
export interface SessionAsked extends Proven {
  device: string;
  /** What the browser has noticed since it was paired; see `PairAgain`. */
  noticed: readonly Noticed[];
}
export type Noticed = "otherServer" | "foreignWorker";

/** The body of `POST /page/pair`, and of `POST /page/renew` with an empty invitation. */
export interface PairingAsked extends Proven {
  invitation: string;
  publicKey: string;
  /** The HMAC of the statement under the digest of the code, or of the old key. */
  proof: string;
  /** What the browser was before, which is revoked. */
  replaced?: { device: string; signature: string } | undefined;
}

/** The answer to a pairing. */
export interface Paired {
  device: string;
}

/** What both sides know after the greeting. */
export interface Exchange {
  /** The page's own. A program on another port cannot pass the exchange on. */
  origin: string;
  nonce: string;
  browser: string;
  server: string;
}

export type Purpose = "server" | "oldServer" | "session" | "pair" | "renew" | "replace" | "key";

/** A text for one purpose and one exchange, so that no signature of it serves for another. */
export function statement(
  purpose: Purpose,
  { origin, nonce, browser, server }: Exchange,
  said: readonly string[] = [],
): string {
  return JSON.stringify(["hookbell page 1", purpose, origin, nonce, browser, server, ...said]);
}

/** What a request's HMAC is of. `path` has the query. */
export function requestText(number: number, method: string, path: string, bodyDigest: string): string {
  return JSON.stringify(["request", number, method, path, bodyDigest]);
}

export function answerText(number: number, status: number): string {
  return JSON.stringify(["answer", number, status]);
}
