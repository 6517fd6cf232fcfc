// Who may see and change what on the page: the origin of a request, its device, and the device's rights.
import type { Context } from "hono";
import type * as z from "zod";
import { findDevice, noteSeen, type Device, type Right } from "../../../answers/browsers/devices.ts";
import type { PageKey } from "../../../answers/browsers/page-key.ts";
import { cut, printableLine } from "../../../model/text.ts";
import type { Layout } from "../../../outbox/layout.ts";
import { sha256 } from "../../../system/crypto.ts";
import type { Clock } from "../../../system/clock.ts";
import { createRateLimiter, keyLimit, strangerLimit } from "../../../http-server/guard.ts";
import { HttpProblem } from "../../../http-server/problems.ts";
import { createBodyReader, parseJson } from "../../../http-server/read-body.ts";
import { proofHeader, sessionHeader } from "./contract.ts";
import { createHandshake, type Handshake } from "./handshake.ts";
import { createSessions, type Signed } from "./sessions.ts";

const maxBodyBytes = 16 * 1024;
const seenEveryMs = 60_000;

interface AccessParts {
  layout: Layout;
  clock: Clock;
  pageKey: PageKey;
  /** The address by which browsers reach the page. */
  origin: () => string;
  addressOf: (context: Context) => string;
  /** Is told of each request of a device. */
  onProven: (context: Context) => void;
}

export interface Access {
  /** Throws the answer for requests of other sites. Runs before everything else. */
  requireOwnOrigin(context: Context): void;
  /** The device of the request, if it has the right. Throws the answer otherwise. */
  requireDevice(context: Context, right: Right): Device;
  /** The device of the request as it is now; undefined if it was revoked. */
  currentDevice(context: Context): Device | undefined;
  /** Shows the browser that the answer is this server's. Runs after everything else. */
  prove(context: Context): void;
  handshake: Handshake;
  readBody<Body>(context: Context, sender: string, schema: z.ZodType<Body>, maxBytes?: number): Promise<Body>;
}

export function createAccess({ layout, clock, pageKey, origin, addressOf, onProven }: AccessParts): Access {
  const takeFromDevice = createRateLimiter(clock, keyLimit);
  const takeFromStranger = createRateLimiter(clock, strangerLimit);
  const sessions = createSessions();
  const readText = createBodyReader();
  const limit = (seconds: number | undefined): void => {
    if (seconds === undefined) return;
    throw new HttpProblem(429, `too many requests; try again in ${seconds} s`, { "retry-after": String(seconds) });
  };
  /** A request's number counts once, so its signature is looked at once. */
  const signed = new WeakMap<Request, Signed>();
  const signedBy = (context: Context): Signed | undefined => {
    const { raw, method, url } = context.req;
    const known = signed.get(raw);
    const header = context.req.header(sessionHeader);
    if (known !== undefined || header === undefined) return known;
    const { pathname, search } = new URL(url);
    const found = sessions.take({ method, path: `${pathname}${search}`, header });
    if (found !== undefined) signed.set(raw, found);
    return found;
  };
  const find = (context: Context): Device | undefined => {
    const device = signedBy(context)?.device;
    return device === undefined ? undefined : findDevice(layout, device);
  };
  /** A failure is counted, and what is right is never limited by address: every program here has the person's. */
  const refuse = (context: Context, problem: HttpProblem): HttpProblem => {
    limit(takeFromStranger(addressOf(context)));
    return problem;
  };
  const access: Access = {
    requireOwnOrigin(context) {
      const { method, url } = context.req;
      const own = origin();
      if (new URL(url).host !== new URL(own).host) {
        throw new HttpProblem(421, `the page's address is ${own}; hookbell serve --url names another`);
      }
      const from = context.req.header("origin");
      const site = context.req.header("sec-fetch-site");
      const isForeign = (from ?? own) !== own;
      // A browser says the origin of every POST.
      const isUnnamed = from === undefined && method !== "GET" && method !== "HEAD";
      // A link to the page comes from anywhere.
      const isEmbedded =
        site !== undefined && site !== "same-origin" && context.req.header("sec-fetch-dest") !== "document";
      if (isForeign || isUnnamed || (isEmbedded && site !== "none")) {
        throw new HttpProblem(403, "the page takes no requests of other sites");
      }
    },
    requireDevice(context, right) {
      const device = find(context);
      if (device === undefined) throw refuse(context, new HttpProblem(401, "this tab has no session with this server"));
      onProven(context);
      limit(takeFromDevice(device.id));
      if (!device.rights.includes(right)) throw new HttpProblem(403, whyNot(device, right));
      if (clock.now() - device.seenAt >= seenEveryMs) noteSeen(layout, device, clock.now());
      return device;
    },
    currentDevice: find,
    prove(context) {
      const proof = signed.get(context.req.raw)?.proofOf(context.res.status);
      if (proof !== undefined) context.header(proofHeader, proof);
    },
    handshake: createHandshake({
      layout,
      clock,
      pageKey,
      sessions,
      origin,
      refuse,
      readBody: (context, schema, maxBytes) => access.readBody(context, addressOf(context), schema, maxBytes),
      nameOfBrowser: (context) => nameOfBrowser(context.req.header("user-agent")),
    }),
    async readBody(context, sender, schema, maxBytes = maxBodyBytes) {
      if (!/^application\/json\b/i.test(context.req.header("content-type") ?? "")) {
        throw new HttpProblem(400, "the body must be JSON");
      }
      const text = await readText(context.req.raw, sender, maxBytes);
      const request = signed.get(context.req.raw);
      if (request !== undefined && request.bodyDigest !== sha256(text)) {
        throw refuse(context, new HttpProblem(401, "the body is not the one that was signed"));
      }
      const read = schema.safeParse(parseJson(text));
      if (!read.success) throw new HttpProblem(400, "the body is not what this path takes");
      return read.data;
    },
  };
  return access;
}

function whyNot({ pairAgain }: Device, right: Right): string {
  return pairAgain === undefined
    ? `this device has no right to ${right}`
    : "this browser must be paired again before it may do more than read; run: hookbell devices add";
}

const browsers = [
  [/\bEdg/, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bChrome\/|\bCriOS\//, "Chrome"],
  [/\bSafari\//, "Safari"],
] as const;
const systems = [
  [/\bAndroid\b/, "Android"],
  [/\biPhone\b|\biPad\b/, "iOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
] as const;

/** Such as "Firefox on Android". What the header says is untrusted, so only known words are taken from it. */
function nameOfBrowser(userAgent = ""): string {
  const known = (names: readonly (readonly [RegExp, string])[]): string | undefined =>
    names.find(([pattern]) => pattern.test(userAgent))?.[1];
  return [known(browsers) ?? "a browser", known(systems)].filter(Boolean).join(" on ");
}

const maxName = 60;

/** A device's name as tables and answers show it. */
export function deviceName(text: string): string {
  return cut(printableLine(text), maxName);
}
