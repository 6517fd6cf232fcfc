// How this browser and the server come to trust each other. The server proves itself first; until it has, it is told nothing.
import {
  answerText,
  proofHeader,
  requestText,
  sessionHeader,
  statement,
  type Exchange,
  type Greeting,
  type Hello,
  type Paired,
  type PairingAsked,
  type Purpose,
  type SessionAsked,
  type TicketProof,
} from "../../src/wings/page/trust/contract.ts";
import { note, readNoticed, readPairing, storePairing, type Pairing } from "./store.ts";
import {
  canEncrypt,
  isSignedBy,
  mac,
  macKey,
  macWith,
  newExchangeKeys,
  newSigningKeys,
  publicKeyOf,
  randomText,
  sha256,
  sharedSecret,
  sign,
} from "./web-crypto.ts";
import { findOld, removeForeign } from "./workers.ts";

/** Why there is no session. Each is something else to do for the person. */
export type Trouble = "unreachable" | "stranger" | "unpaired" | "notLoadedHere" | "foreignWorker" | "noCrypto";

export const unreachable = "The server cannot be reached. Start it with: hookbell serve";

export class NoSession extends Error {
  readonly trouble: Trouble;
  constructor(trouble: Trouble, why: string) {
    super(why);
    this.trouble = trouble;
  }
}

export interface Session {
  id: string;
  key: CryptoKey;
  /** The number of its last request. */
  last: number;
}

/** The server gives it to a document that a browser has opened. It is in no storage, where other programs' scripts could read it. */
const ticket = takeTicket();

function takeTicket(): { id: string; secret: string } | undefined {
  const element = document.querySelector<HTMLMetaElement>("meta[name=hookbell-ticket]");
  const [id = "", secret = ""] = element?.content.split(" ") ?? [];
  element?.remove();
  return secret === "" ? undefined : { id, secret };
}

let isFirstGreeting = true;

/** A proxy in front of the server answers so while the server is down. Any other program may answer with any other status. */
const proxyStatuses: ReadonlySet<number> = new Set([502, 503, 504]);

/** Throws `NoSession`. `isKnown` says whether a key is the server's. */
async function greet(
  isKnown: (greeting: Greeting, exchange: Exchange) => Promise<boolean>,
  { isOld }: { isOld?: boolean } = {},
): Promise<{ keys: CryptoKeyPair; exchange: Exchange; greeting: Greeting }> {
  const keys = await newExchangeKeys();
  const hello: Hello = { nonce: randomText(), exchange: await publicKeyOf(keys), isOld };
  const isFirst = isFirstGreeting;
  isFirstGreeting = false;
  const response = await post("/page/hello", hello);
  if (proxyStatuses.has(response.status)) throw new NoSession("unreachable", unreachable);
  const greeting = (await response.json().catch(() => ({}))) as Partial<Greeting>;
  const { publicKey = "", exchange: server = "", signature = "" } = greeting;
  const exchange = { origin: location.origin, nonce: hello.nonce, browser: hello.exchange, server };
  const isProven =
    (await isSignedBy(publicKey, statement("server", exchange), signature)) &&
    (await isKnown(greeting as Greeting, exchange));
  if (isProven) return { keys, exchange, greeting: greeting as Greeting };
  // This very document came from whoever answers there, and it could use this browser's key.
  if (isFirst && (await readPairing()) !== undefined) await note("otherServer");
  throw new NoSession("stranger", "another program answers at this address");
}

/** Throws `NoSession` for a server that cannot be reached. */
async function post(path: string, body: object): Promise<Response> {
  const headers = { "content-type": "application/json" };
  try {
    return await fetch(path, {
      method: "POST",
      body: JSON.stringify(body),
      headers,
      cache: "no-store",
      // The cookie of 1.0.0-rc.1 is removed by an answer, and is no one's business before.
      credentials: path === "/page/hello" ? "omit" : "same-origin",
      redirect: "manual",
    });
  } catch {
    throw new NoSession("unreachable", unreachable);
  }
}

async function proveTicket(text: string): Promise<TicketProof> {
  return { id: ticket?.id ?? "", proof: await macWith(ticket?.secret ?? "", text) };
}

function requireTicket(): string {
  if (ticket === undefined)
    throw new NoSession("notLoadedHere", "the browser did not say that a person opened this page");
  return ticket.id;
}

/** Throws `NoSession`. */
export async function openSession(): Promise<Session> {
  requireCrypto();
  const pairing = (await readPairing()) ?? (await renewOnce());
  if (pairing === undefined) throw new NoSession("unpaired", "");
  if (!(await removeForeign())) throw new NoSession("foreignWorker", "");
  const { keys, exchange } = await greet(async ({ publicKey }) => publicKey === pairing.server);
  const id = requireTicket();
  const noticed = await readNoticed();
  const text = statement("session", exchange, [pairing.device, id, ...noticed]);
  const asked: SessionAsked = {
    ...asksIn(exchange),
    device: pairing.device,
    noticed,
    ticket: await proveTicket(text),
    signature: await sign(pairing.keys, text),
  };
  const response = await post("/page/session", asked);
  if (!response.ok) throw await refused(response);
  const secret = await sharedSecret(keys, exchange.server);
  const key = await macKey(await macWith(secret, statement("key", exchange, [pairing.device])));
  const session = { id: await sha256(text), key, last: 0 };
  if (!(await isFromServer(session, 0, response)))
    throw new NoSession("stranger", "another program answers at this address");
  return session;
}

function asksIn({ nonce, browser }: Exchange): { nonce: string; exchange: string } {
  return { nonce, exchange: browser };
}

async function refused(response: Response): Promise<NoSession> {
  const { detail = `the server answered ${response.status}` } = (await response.json().catch(() => ({}))) as {
    detail?: string;
  };
  if (response.status === 401 || response.status === 403) return new NoSession("unpaired", detail);
  if (response.status === 409) return new NoSession("notLoadedHere", detail);
  return new NoSession("unreachable", detail);
}

function requireCrypto(): void {
  if (!canEncrypt) throw new NoSession("noCrypto", "");
}

/** The value of the header that signs a request. */
export async function signRequest(
  session: Session,
  method: string,
  path: string,
  body: string,
): Promise<[string, number]> {
  session.last += 1;
  const number = session.last;
  const { pathname, search } = new URL(path, location.href);
  const digest = await sha256(body);
  const signature = await mac(session.key, requestText(number, method, `${pathname}${search}`, digest));
  return [`${session.id}.${number}.${digest}.${signature}`, number];
}

export async function isFromServer({ key }: Session, number: number, { headers, status }: Response): Promise<boolean> {
  return headers.get(proofHeader) === (await mac(key, answerText(number, status)));
}

export { sessionHeader };

/** Pairs this browser by a link. Throws `NoSession`. */
export async function pair(code: string, fingerprint: string): Promise<void> {
  requireCrypto();
  requireTicket();
  if (!(await removeForeign())) throw new NoSession("foreignWorker", "");
  // The link names the server, so this browser tells no other the code.
  const { exchange, greeting } = await greet(
    async ({ publicKey }) => (await sha256(publicKey)).startsWith(fingerprint) && fingerprint.length === 32,
  );
  const invitation = (await sha256(`invitation ${code}`)).slice(0, 32);
  await askPairing("pair", exchange, greeting, { invitation, digest: await sha256(code) });
}

async function askPairing(
  purpose: "pair" | "renew",
  exchange: Exchange,
  { publicKey: server }: Greeting,
  { invitation, digest }: { invitation: string; digest: string },
): Promise<void> {
  const before = await readPairing();
  const keys = await newSigningKeys();
  const publicKey = await publicKeyOf(keys);
  const text = statement(purpose, exchange, [invitation, publicKey, requireTicket(), before?.device ?? ""]);
  const asked: PairingAsked = {
    ...asksIn(exchange),
    invitation,
    publicKey,
    proof: await macWith(digest, text),
    ticket: await proveTicket(text),
    signature: await sign(keys, text),
    replaced: before && {
      device: before.device,
      signature: await sign(before.keys, statement("replace", exchange, [before.device])),
    },
  };
  const response = await post(purpose === "pair" ? "/page/pair" : "/page/renew", asked);
  if (!response.ok) throw await refused(response);
  const { device } = (await response.json()) as Paired;
  await storePairing({ device, keys, server });
  // The key of 1.0.0-rc.1, in its clear text.
  localStorage.removeItem(oldKeyName);
}

const oldKeyName = "hookbell-key";

/** Of several tabs, one asks. */
async function renewOnce(): Promise<Pairing | undefined> {
  if (localStorage.getItem(oldKeyName) === null) return undefined;
  return await navigator.locks.request("hookbell-renewal", async () => {
    const oldKey = localStorage.getItem(oldKeyName);
    if (oldKey !== null) await renew(oldKey);
    return await readPairing();
  });
}

/** The server knows a digest of the old key, and shows it first. The key itself is never sent again. */
async function renew(oldKey: string): Promise<void> {
  requireTicket();
  const digest = await sha256(oldKey);
  const knowsKey = async (greeting: Greeting, exchange: Exchange): Promise<boolean> =>
    greeting.old?.includes(await macWith(digest, statement("oldServer" satisfies Purpose, exchange))) === true;
  const { exchange, greeting } = await greet(knowsKey, { isOld: true });
  // Its worker stood before all pages; the one of now has none, and is registered again for notifications. It goes first: as
  // soon as there is a pairing, any tab takes a worker that it finds there for a foreign one.
  await (await findOld())?.unregister();
  await askPairing("renew", exchange, greeting, { invitation: "", digest });
}
