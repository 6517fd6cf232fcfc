// A browser as the page's server sees it: pairs, opens sessions and signs requests as the page's scripts do.
import { get, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { invitationOf, inviteDevice, pairDevice, type Right } from "../../../src/answers/browsers/devices.ts";
import {
  requestText,
  sessionHeader,
  statement,
  type Exchange,
  type Greeting,
  type PairingAsked,
  type SessionAsked,
} from "../../../src/wings/page/trust/contract.ts";
import type { Layout } from "../../../src/outbox/layout.ts";
import {
  hmacSha256,
  isSignedBy,
  newP256Keys,
  randomNonce,
  sha256,
  sharedSecret,
  signP256,
  type P256Keys,
} from "../../../src/system/crypto.ts";

export interface TestDevice {
  id: string;
  keys: P256Keys;
  session?: { id: string; key: string; last: number } | undefined;
}

export interface Ticket {
  id: string;
  secret: string;
}

/** Sends a request as the page's own script does. */
export type Send = (path: string, init?: RequestInit) => Promise<Response>;

/** As the page's script at this address. */
export function senderTo(url: string): Send {
  return (path, init) => {
    const headers = new Headers(init?.headers);
    headers.set("origin", url);
    return fetch(`${url}${path}`, { ...init, headers });
  };
}

const asText = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");

/** The headers by which a browser says that a person opened the document. */
export const opened = { "sec-fetch-dest": "document", "sec-fetch-mode": "navigate", "sec-fetch-site": "none" };

/** Undefined for a document without one. */
export function ticketIn(html: string): Ticket | undefined {
  const [, id = "", secret = ""] = /name="hookbell-ticket" content="(\S+) (\S+)"/.exec(html) ?? [];
  return secret === "" ? undefined : { id, secret };
}

export interface Greeted {
  keys: P256Keys;
  exchange: Exchange;
  greeting: Greeting;
}

export function postJson(send: Send, path: string, body: unknown): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return send(path, { method: "POST", body: JSON.stringify(body), headers });
}

/** Throws if the server does not prove itself for this origin. */
export async function greet(send: Send, origin: string, isOld = false): Promise<Greeted> {
  const keys = newP256Keys();
  const hello = { nonce: randomNonce(), exchange: asText(keys.publicKey), isOld };
  const response = await postJson(send, "/page/hello", hello);
  const greeting = (await response.json()) as Greeting;
  const exchange = { origin, nonce: hello.nonce, browser: hello.exchange, server: greeting.exchange };
  const isProven = isSignedBy(
    Buffer.from(greeting.publicKey ?? "", "base64url"),
    statement("server", exchange),
    greeting.signature ?? "",
  );
  if (!isProven) throw new Error(`the server did not prove itself: ${response.status} ${JSON.stringify(greeting)}`);
  return { keys, exchange, greeting };
}

function pairingBody(
  purpose: "pair" | "renew",
  { exchange }: Greeted,
  keys: P256Keys,
  { invitation, digest, ticket }: { invitation: string; digest: string; ticket: Ticket },
): PairingAsked {
  const publicKey = asText(keys.publicKey);
  const said = statement(purpose, exchange, [invitation, publicKey, ticket.id, ""]);
  return {
    nonce: exchange.nonce,
    exchange: exchange.browser,
    invitation,
    publicKey,
    proof: hmacSha256(digest, said),
    ticket: { id: ticket.id, proof: hmacSha256(ticket.secret, said) },
    signature: signP256(keys, said),
  };
}

export function sessionBody(
  { exchange }: Greeted,
  device: TestDevice,
  ticket: Ticket,
  noticed: SessionAsked["noticed"] = [],
): SessionAsked {
  const said = statement("session", exchange, [device.id, ticket.id, ...noticed]);
  return {
    nonce: exchange.nonce,
    exchange: exchange.browser,
    device: device.id,
    noticed,
    ticket: { id: ticket.id, proof: hmacSha256(ticket.secret, said) },
    signature: signP256(device.keys, said),
  };
}

/** The session that the server opens for this body. */
function sessionOf({ keys, exchange }: Greeted, device: TestDevice, body: SessionAsked): TestDevice["session"] {
  const secret = sharedSecret(keys, Buffer.from(exchange.server, "base64url")) ?? new Uint8Array();
  const said = statement("session", exchange, [device.id, body.ticket.id, ...body.noticed]);
  return { id: sha256(said), key: hmacSha256(secret, statement("key", exchange, [device.id])), last: 0 };
}

/** `fetch` sets its own `sec-fetch-mode`, so this request is one of node:http. */
export async function loadTicket(send: Send): Promise<Ticket> {
  const { url } = await send("/");
  const ticket = ticketIn(await loadDocument(url));
  if (ticket === undefined) throw new Error("the document has no ticket");
  return ticket;
}

export async function loadDocument(url: string, headers: Record<string, string> = opened): Promise<string> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers, agent: false }, resolve).on("error", reject);
  });
  return await text(response);
}

/** Answers with the server's refusal, if it is one. */
export async function pairWith(send: Send, origin: string, code: string): Promise<TestDevice | Response> {
  const keys = newP256Keys();
  const ticket = await loadTicket(send);
  const asked = { invitation: invitationOf(code), digest: sha256(code), ticket };
  const response = await postJson(send, "/page/pair", pairingBody("pair", await greet(send, origin), keys, asked));
  if (!response.ok) return response;
  return { id: ((await response.json()) as { device: string }).device, keys };
}

/** Without a server. */
export function storeDevice(layout: Layout, rights: readonly Right[] = ["read"]): TestDevice {
  const nowMs = Date.now();
  const keys = newP256Keys();
  const code = inviteDevice(layout, { rights: [...rights] }, nowMs);
  const proof = { publicKey: asText(keys.publicKey), isProven: () => true };
  return { id: pairDevice(layout, invitationOf(code), proof, "a browser", nowMs)?.id ?? "", keys };
}

export async function pairBrowser(
  send: Send,
  origin: string,
  layout: Layout,
  { rights = ["read"], name, nowMs = Date.now() }: { rights?: readonly Right[]; name?: string; nowMs?: number } = {},
): Promise<TestDevice> {
  const code = inviteDevice(layout, { name, rights: [...rights] }, nowMs);
  const paired = await pairWith(send, origin, code);
  if ("status" in paired) throw new Error(`${paired.status} ${await paired.text()}`);
  await openSessionOf(send, origin, paired);
  return paired;
}

/** The device's requests belong to this session from then on. Answers with the server's answer. */
export async function openSessionOf(
  send: Send,
  origin: string,
  device: TestDevice,
  given?: { ticket?: Ticket; noticed?: SessionAsked["noticed"] },
): Promise<Response> {
  const greeted = await greet(send, origin);
  const body = sessionBody(greeted, device, given?.ticket ?? (await loadTicket(send)), given?.noticed);
  const response = await postJson(send, "/page/session", body);
  device.session = response.ok ? sessionOf(greeted, device, body) : undefined;
  return response;
}

/** The headers that sign a request; empty for a browser without a session. */
export function signatureFor(
  { session }: TestDevice,
  path: string,
  { method = "GET", body }: RequestInit = {},
): Record<string, string> {
  if (session === undefined) return {};
  session.last += 1;
  const url = new URL(path, "http://127.0.0.1");
  const digest = sha256(typeof body === "string" ? body : "");
  const said = requestText(session.last, method, `${url.pathname}${url.search}`, digest);
  return { [sessionHeader]: `${session.id}.${session.last}.${digest}.${hmacSha256(session.key, said)}` };
}
