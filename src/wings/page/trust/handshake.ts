// How a browser and the server come to trust each other: the server proves itself first, then the browser does.
import type { Context } from "hono";
import { deleteCookie, getCookie } from "hono/cookie";
import * as z from "zod";
import {
  findDevice,
  noteSeen,
  oldKeys,
  pairDevice,
  renewDevice,
  requirePairing,
  revokeDevice,
  type Device,
  type PairingProof,
} from "../../../answers/browsers/devices.ts";
import type { PageKey } from "../../../answers/browsers/page-key.ts";
import type { Layout } from "../../../outbox/layout.ts";
import type { Clock } from "../../../system/clock.ts";
import { hmacSha256, isSameDigest, isSignedBy, newP256Keys, sharedSecret } from "../../../system/crypto.ts";
import { HttpProblem } from "../../../http-server/problems.ts";
import {
  answerText,
  proofHeader,
  statement,
  type Exchange,
  type Greeting,
  type Hello,
  type Paired,
  type PairingAsked,
  type Purpose,
  type SessionAsked,
  type TicketProof,
} from "./contract.ts";
import { sessionIdOf, type Sessions } from "./sessions.ts";

/**
 * The limit on unfinished bodies counts what strangers of one address hold. All of this size, on all connections that the
 * server has, stay below it, so that no local program can use it up for the person.
 */
const maxBodyBytes = 4096;

const key = z.string().regex(/^[\w-]{87}$/);
const signature = z.string().regex(/^[\w-]{86}$/);
const mac = z.string().max(44);
const ticketSchema: z.ZodType<TicketProof> = z.object({ id: z.string().max(32), proof: mac });
const helloSchema: z.ZodType<Hello> = z.object({
  nonce: z.string().max(64),
  exchange: key,
  isOld: z.boolean().optional(),
});
const proven = { nonce: z.string().max(64), exchange: key, ticket: ticketSchema, signature };
const sessionSchema: z.ZodType<SessionAsked> = z.object({
  ...proven,
  device: z.string().max(8),
  noticed: z.array(z.enum(["otherServer", "foreignWorker"])).max(2),
});
const pairingSchema: z.ZodType<PairingAsked> = z.object({
  ...proven,
  invitation: z.string().regex(/^[0-9a-f]{0,32}$/),
  publicKey: key,
  proof: mac,
  replaced: z.object({ device: z.string().max(8), signature }).optional(),
});

interface HandshakeParts {
  layout: Layout;
  clock: Clock;
  pageKey: PageKey;
  sessions: Sessions;
  /** The address by which browsers reach the page. */
  origin: () => string;
  /** Counts a failure against the sender's address; the answer that it is given. */
  refuse: (context: Context, problem: HttpProblem) => HttpProblem;
  readBody: <Body>(context: Context, schema: z.ZodType<Body>, maxBytes: number) => Promise<Body>;
  nameOfBrowser: (context: Context) => string;
}

export interface Handshake {
  hello(context: Context): Promise<Response>;
  openSession(context: Context): Promise<Response>;
  pair(context: Context): Promise<Response>;
  /** Gives a browser that 1.0.0-rc.1 has paired its new key. */
  renew(context: Context): Promise<Response>;
}

/** The cookie of 1.0.0-rc.1, which browsers send to each port of this host. */
const oldCookie = "hookbell";

/** Only failures are limited: no program can lock out who has the right key or code by failing often. */
export function createHandshake(parts: HandshakeParts): Handshake {
  const { layout, clock, pageKey, sessions, refuse, readBody } = parts;
  // The same for all exchanges of this process: nothing is kept of an exchange that a stranger begins.
  const exchangeKeys = newP256Keys();
  const server = Buffer.from(exchangeKeys.publicKey).toString("base64url");
  const exchangeOf = ({ nonce, exchange }: Hello): Exchange => ({
    origin: parts.origin(),
    nonce,
    browser: exchange,
    server,
  });
  const isLoadedHere = ({ id, proof }: TicketProof, text: string): boolean =>
    isSameDigest(hmacSha256(pageKey.ticketSecret(id), text), proof);
  const asKey = (text: string): Uint8Array => Buffer.from(text, "base64url");

  const takePairing = async (
    context: Context,
    purpose: "pair" | "renew",
    store: (asked: PairingAsked, proof: PairingProof) => Device | undefined,
    failure: HttpProblem,
  ): Promise<Response> => {
    const asked = await readBody(context, pairingSchema, maxBodyBytes);
    const { invitation, publicKey, ticket, replaced } = asked;
    const exchange = exchangeOf(asked);
    const text = statement(purpose, exchange, [invitation, publicKey, ticket.id, replaced?.device ?? ""]);
    if (!isSignedBy(asKey(publicKey), text, asked.signature)) throw refuse(context, failure);
    const isProven = (digest: string): boolean => isSameDigest(hmacSha256(digest, text), asked.proof);
    // A wrong ticket uses no invitation up.
    if (!isLoadedHere(ticket, text)) throw refuse(context, notLoadedHere());
    const device = store(asked, { publicKey, isProven });
    if (device === undefined) throw refuse(context, failure);
    const before = replaced === undefined ? undefined : findDevice(layout, replaced.device);
    if (before !== undefined && replaced !== undefined) {
      const own = statement("replace", exchange, [before.id]);
      if (isSignedBy(asKey(before.publicKey), own, replaced.signature)) revokeDevice(layout, before);
    }
    deleteCookie(context, oldCookie, { path: "/page" });
    return context.json({ device: device.id } satisfies Paired);
  };

  return {
    async hello(context) {
      const asked = await readBody(context, helloSchema, maxBodyBytes);
      const exchange = exchangeOf(asked);
      const sign = (purpose: Purpose): string => pageKey.sign(statement(purpose, exchange));
      const old = asked.isOld === true ? oldKeys(layout) : [];
      return context.json({
        publicKey: pageKey.publicKey,
        exchange: server,
        signature: sign("server"),
        old: old.length === 0 ? undefined : old.map((digest) => hmacSha256(digest, statement("oldServer", exchange))),
      } satisfies Greeting);
    },
    async openSession(context) {
      const asked = await readBody(context, sessionSchema, maxBodyBytes);
      const { ticket, noticed } = asked;
      const exchange = exchangeOf(asked);
      const text = statement("session", exchange, [asked.device, ticket.id, ...noticed]);
      const device = findDevice(layout, asked.device);
      if (device === undefined || !isSignedBy(asKey(device.publicKey), text, asked.signature)) {
        throw refuse(context, new HttpProblem(401, "it was paired once, and was revoked"));
      }
      if (!isLoadedHere(ticket, text)) {
        // Only a script that another program has put into the browser signs without a ticket of this server.
        requirePairing(layout, device, "noTicket", clock.now());
        throw notLoadedHere();
      }
      if (noticed[0] !== undefined) requirePairing(layout, device, noticed[0], clock.now());
      const secret = sharedSecret(exchangeKeys, asKey(asked.exchange));
      const key = secret && hmacSha256(secret, statement("key", exchange, [device.id]));
      if (key === undefined || !sessions.open({ id: sessionIdOf(text), device: device.id, key })) {
        throw refuse(context, new HttpProblem(400, "this session was opened before"));
      }
      noteSeen(layout, device, clock.now());
      if (getCookie(context, oldCookie) !== undefined) deleteCookie(context, oldCookie, { path: "/page" });
      context.header(proofHeader, hmacSha256(key, answerText(0, 200)));
      return context.json({});
    },
    pair: (context) =>
      takePairing(
        context,
        "pair",
        ({ invitation }, proof) => pairDevice(layout, invitation, proof, parts.nameOfBrowser(context), clock.now()),
        new HttpProblem(403, "the link was used already, or is older than ten minutes; make another one"),
      ),
    renew: (context) =>
      takePairing(
        context,
        "renew",
        (_asked, proof) => renewDevice(layout, proof),
        new HttpProblem(401, "it was paired once, and was revoked"),
      ),
  };
}

function notLoadedHere(): HttpProblem {
  return new HttpProblem(409, "another program loaded this page into the browser; reload it");
}
