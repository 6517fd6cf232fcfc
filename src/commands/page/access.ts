// Who may see and change what on the page: the origin of a request, its device, and the device's rights.
import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import * as z from "zod";
import { deviceOf, noteSeen, pairDevice, type Device, type Right } from "../../answers/devices.ts";
import { cut, printableLine } from "../../model/text.ts";
import type { Layout } from "../../outbox/layout.ts";
import type { Clock } from "../../system/clock.ts";
import { createRateLimiter, keyLimit, strangerLimit } from "../../usage/server/http/guard.ts";
import { HttpProblem } from "../../usage/server/http/problems.ts";
import { createBodyReader, parseJson } from "../../usage/server/http/read-body.ts";
import { keyHeader, type Paired } from "./contract.ts";

/** One address may try so many codes. */
export const pairingLimit = { burst: 10, perSecond: 1 / 30 };

const cookieName = "hookbell";
/** Browsers keep no cookie for longer than 400 days. */
const cookieSeconds = 400 * 24 * 60 * 60;
const maxBodyBytes = 16 * 1024;
const seenEveryMs = 60_000;

interface AccessParts {
  layout: Layout;
  clock: Clock;
  /** By which browsers reach the page, if it was given; else they reach it by this machine's own names. */
  origin: string | undefined;
  addressOf: (context: Context) => string;
}

export interface Access {
  /** Throws the answer for requests of other sites. Runs before everything else. */
  requireOwnOrigin(context: Context): void;
  /** The device of the request, if it has the right. Throws the answer otherwise. */
  requireDevice(context: Context, right: Right): Device;
  /** The device of the request as it is now; undefined if it was revoked. */
  currentDevice(context: Context): Device | undefined;
  pair(context: Context): Promise<Response>;
  readBody<Body>(context: Context, sender: string, schema: z.ZodType<Body>, maxBytes?: number): Promise<Body>;
}

export function createAccess({ layout, clock, origin, addressOf }: AccessParts): Access {
  const takeFromDevice = createRateLimiter(clock, keyLimit);
  const takeFromStranger = createRateLimiter(clock, strangerLimit);
  const takeCode = createRateLimiter(clock, pairingLimit);
  const readText = createBodyReader();
  const limit = (seconds: number | undefined): void => {
    if (seconds === undefined) return;
    throw new HttpProblem(429, `too many requests; try again in ${seconds} s`, { "retry-after": String(seconds) });
  };
  const ownOrigin = (context: Context): string => origin ?? new URL(context.req.url).origin;
  const find = (context: Context): Device | undefined => {
    const cookie = getCookie(context, cookieName);
    const key = context.req.header(keyHeader);
    return cookie === undefined || key === undefined ? undefined : deviceOf(layout, cookie, key);
  };
  const access: Access = {
    requireOwnOrigin(context) {
      const { method, url } = context.req;
      if (origin !== undefined && new URL(url).host !== new URL(origin).host) {
        throw new HttpProblem(421, "the page has another address; hookbell serve --url names it");
      }
      const from = context.req.header("origin");
      const site = context.req.header("sec-fetch-site");
      const isForeign = (from ?? ownOrigin(context)) !== ownOrigin(context);
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
      if (device === undefined) {
        limit(takeFromStranger(addressOf(context)));
        throw new HttpProblem(401, "this browser is not paired; run: hookbell devices add");
      }
      limit(takeFromDevice(device.id));
      if (!device.rights.includes(right)) throw new HttpProblem(403, `this device has no right to ${right}`);
      if (clock.now() - device.seenAt >= seenEveryMs) noteSeen(layout, device, clock.now());
      return device;
    },
    currentDevice: find,
    async pair(context) {
      limit(takeCode(addressOf(context)));
      const { code } = await access.readBody(context, addressOf(context), z.object({ code: z.string().max(100) }));
      const paired = pairDevice(layout, code, nameOfBrowser(context.req.header("user-agent")), clock.now());
      if (paired === undefined) {
        throw new HttpProblem(403, "the link was used already, or is older than ten minutes; make another one");
      }
      setCookie(context, cookieName, paired.cookie, {
        path: "/page",
        httpOnly: true,
        sameSite: "Strict",
        secure: ownOrigin(context).startsWith("https:"),
        maxAge: cookieSeconds,
      });
      return context.json({ key: paired.key } satisfies Paired);
    },
    async readBody(context, sender, schema, maxBytes = maxBodyBytes) {
      if (!/^application\/json\b/i.test(context.req.header("content-type") ?? "")) {
        throw new HttpProblem(400, "the body must be JSON");
      }
      const read = schema.safeParse(parseJson(await readText(context.req.raw, sender, maxBytes)));
      if (!read.success) throw new HttpProblem(400, "the body is not what this path takes");
      return read.data;
    },
  };
  return access;
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
