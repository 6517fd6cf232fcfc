// Web push: the browsers in which someone pressed "Notify this device" on the page of `hookbell serve`.
import { docsUrl } from "../../../model/errors.ts";
import * as z from "zod";
import type { Level } from "../../../model/level.ts";
import { delivered, failed, isRetried, type Outcome } from "../../../model/outcome.ts";
import { cut, printableLine } from "../../../model/text.ts";
import { Secret } from "../../../model/privacy/secret.ts";
import { newP256Keys, randomKey, sha256 } from "../../../system/crypto.ts";
import { type ChannelTools, defineChannel, lifetimeMs, type SendRequest } from "../../channel-type.ts";
import { exchange } from "../../http-channel.ts";
import { jsonBytes, maxContext, toNotification } from "../../rendering/compose.ts";
import { levelLooks } from "../../rendering/levels.ts";
import { mayBeReplaced, messageId, sessionKey, updateSetting } from "../../session-message.ts";
import { encrypt } from "./encrypt.ts";
import { listSubscribers, removeSubscription, type Subscriber } from "./subscriptions.ts";
import { authorization, vapidKeys, type VapidKeys } from "./vapid.ts";

/** hookbell's own limit, as the next: with what is around them, they fit into `maxPlainBytes`. */
export const maxTitle = 400;
export const maxBody = 2800;
const timeoutMs = 15_000;

/** https://www.rfc-editor.org/rfc/rfc8030#section-5.3; a phone that saves its battery delays what is not `high`. */
const urgencies: Readonly<Record<Level, "low" | "normal" | "high">> = {
  info: "low",
  success: "normal",
  attention: "high",
  error: "high",
};

const settings = z.strictObject({
  devices: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe("Names or ids of devices, as hookbell devices lists them; default: all that want notifications"),
  contact: z
    .string()
    .regex(/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, {
      error: "expected mailto:you@example.org or an https address",
    })
    .optional()
    .describe(
      "The address at which a push service can reach you; default: the page's. Apple refuses an address that cannot exist",
    ),
  update: updateSetting("new", "the device makes no second sound for it"),
  allowPrivate: z.boolean().optional().describe("Also send to a push service in your own network, or on this machine"),
});

type WebPushSettings = z.output<typeof settings>;

/** What the page's service worker reads; web/worker.ts has the same. */
interface PushMessage {
  /** A later message with the same tag replaces it. */
  tag: string;
  title: string;
  body: string;
  level: Level;
  /** Which session a click shows: the page's id of it. */
  session: string;
  /** The notification stays until the person closes it. */
  isKept?: true | undefined;
  isSilent?: true | undefined;
  /** The notification with this tag goes. */
  isOver?: true | undefined;
}

export const webpush = defineChannel<WebPushSettings>({
  docs: "https://www.rfc-editor.org/rfc/rfc8030",
  settings,
  ringsPhone: true,
  limits: [
    { what: "title, as JSON", most: maxTitle, unit: "bytes", source: "ours" },
    { what: "body, as JSON", most: maxBody, unit: "bytes", source: "ours" },
    { what: "fields, as JSON", most: maxContext, unit: "bytes", source: "ours" },
  ],
  expiresAfterMs: lifetimeMs.chat,
  timeoutMs,
  content: "summary",
  summaryFrom: 4,
  // A notification with the same tag is replaced without a sound.
  isRepeatHarmless: true,
  showsList: () => "joined",
  async send(request, tools) {
    const { settings, message, event, isSilent } = request;
    const { title, body } = toNotification(message, event.name, { maxTitle, maxBody, measure: jsonBytes });
    const pushed: PushMessage = {
      tag: messageId(request),
      title,
      body,
      level: message.level,
      session: sessionKey(event),
      isKept: levelLooks[message.level].isKept ? true : undefined,
      isSilent: isSilent === true ? true : undefined,
    };
    const outcome = await pushToAll(settings, pushed, leftMs(request, tools), tools);
    if (outcome.status === "failed" || !mayBeReplaced(request)) return outcome;
    return { ...outcome, remember: { id: pushed.tag, session: pushed.session } };
  },
  async retract(settings, { id: tag = "", session = "" }, tools, why) {
    // A browser must show something for each message; the service worker shows this silently, and closes it.
    const title = cut(printableLine(`${why.charAt(0).toUpperCase()}${why.slice(1)}`), maxTitle, jsonBytes);
    const pushed: PushMessage = { tag, title, body: "", level: "info", session, isOver: true };
    const outcome = await pushToAll(settings, pushed, lifetimeMs.chat, tools);
    if (outcome.status === "failed") throw new Error(outcome.detail);
  },
  noticing: {
    how: "see",
    otherwise: [
      "let the browser notify: the device's settings, and do not disturb",
      "on an iPhone, add the page to the home screen first, and press the button there",
      "open the page on the device and press the button again: the browser may have dropped its subscription",
    ],
  },
  probe({ devices }, { stateDir, clock }) {
    const { chosen, missing } = choose(devices, stateDir);
    // The first device that subscribes has the keys made, not a look at the channel.
    if (chosen.length === 0) return Promise.resolve({ status: "broken", ...noDevice(missing) });
    if (vapidKeys(stateDir, clock.now()) === undefined) return Promise.resolve({ status: "broken", ...damagedKeys });
    const detail = `sends to ${listOf(chosen.map(({ name, endpoint }) => `${name} (${new URL(endpoint).host})`))}`;
    if (missing.length === 0) return Promise.resolve({ status: "ok", detail });
    return Promise.resolve({
      status: "warning",
      ...noDevice(missing),
      detail: `${detail}; ${noDevice(missing).detail}`,
    });
  },
});

const press = `open the page of hookbell serve on the device and press "Notify this device" (${docsUrl("reference/PAGE.md")})`;
const damagedKeys = {
  detail: "the file devices/vapid.key in the state folder is damaged",
  fix: `remove it, then on each device: ${press}`,
};

/** `missing`: the devices that the settings name and that are not subscribed. */
function noDevice(missing: readonly string[]): { detail: string; fix: string } {
  const who = missing.length === 0 ? "no device" : listOf(missing.map((name) => JSON.stringify(name)));
  const state = missing.length === 0 ? "is" : missing.length === 1 ? "is not" : "are not";
  return { detail: `${who} ${state} subscribed`, fix: press };
}

function listOf(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

function choose(
  devices: readonly string[] | undefined,
  stateDir: string,
): { chosen: Subscriber[]; missing: readonly string[] } {
  const all = listSubscribers(stateDir);
  if (devices === undefined) return { chosen: all, missing: [] };
  const isNamed = ({ id, name }: Subscriber, device: string): boolean => id === device || name === device;
  return {
    chosen: all.filter((each) => devices.some((device) => isNamed(each, device))),
    missing: devices.filter((device) => !all.some((each) => isNamed(each, device))),
  };
}

/** How long the push service keeps the message for a device that it cannot reach. */
function leftMs({ event }: SendRequest<WebPushSettings>, { clock }: ChannelTools): number {
  const left = Date.parse(event.at) + lifetimeMs.chat - clock.now();
  // A rule may give the delivery a longer life than the type does.
  return left > 0 && left <= lifetimeMs.chat ? left : lifetimeMs.chat;
}

/**
 * One device is enough, because another attempt would show the message twice on it; the detail names those that failed. So
 * a device that must be tried again by itself needs a channel of its own.
 */
async function pushToAll(
  { devices, contact, allowPrivate }: WebPushSettings,
  message: PushMessage,
  ttlMs: number,
  tools: ChannelTools,
): Promise<Outcome> {
  const { chosen, missing } = choose(devices, tools.stateDir);
  if (chosen.length === 0) return failed("unavailable", `${noDevice(missing).detail}; ${press}`);
  const keys = vapidKeys(tools.stateDir, tools.clock.now());
  if (keys === undefined) return failed("unavailable", `${damagedKeys.detail}; ${damagedKeys.fix}`);
  const options = { contact, isPublicOnly: allowPrivate !== true, ttlMs };
  const results = await Promise.all(
    chosen.map(async (to) => ({ to, outcome: await pushTo(to, message, keys, options, tools) })),
  );
  const told = results.filter(({ outcome }) => outcome.status === "delivered").map(({ to }) => to.name);
  const failures = results.flatMap(({ to, outcome }) =>
    outcome.status === "failed" ? [{ ...outcome, detail: `${to.name}: ${outcome.detail}` }] : [],
  );
  const notes = failures.map(({ detail }) => detail);
  if (told.length > 0) return delivered({ detail: [`reached ${listOf(told)}`, ...notes].join("; ") });
  // A device that may still be reached decides.
  const [first] = failures.toSorted((a, b) => Number(isRetried(b.reason, true)) - Number(isRetried(a.reason, true)));
  const { reason = "unavailable", retryAfterMs } = first ?? {};
  return failed(reason, notes.join("; "), retryAfterMs);
}

async function pushTo(
  { id, endpoint, keys, origin }: Subscriber,
  message: PushMessage,
  vapid: VapidKeys,
  { contact, isPublicOnly, ttlMs }: { contact: string | undefined; isPublicOnly: boolean; ttlMs: number },
  tools: ChannelTools,
): Promise<Outcome> {
  const sub = contact ?? (origin.startsWith("https:") ? origin : undefined);
  const nowMs = tools.clock.now();
  const secrets = { salt: randomKey().subarray(0, 16), keys: newP256Keys() };
  const made = {
    method: "POST" as const,
    url: endpoint,
    isPublicOnly,
    headers: {
      authorization: authorization(vapid, endpoint, sub, nowMs),
      "content-type": "application/octet-stream",
      "content-encoding": "aes128gcm",
      ttl: String(Math.ceil(ttlMs / 1000)),
      urgency: message.isOver === true ? "normal" : urgencies[message.isSilent === true ? "info" : message.level],
      // A topic has at most 32 letters: https://www.rfc-editor.org/rfc/rfc8030#section-5.4
      topic: sha256(message.tag).slice(0, 32),
    },
    bytes: encrypt(JSON.stringify(message), keys, secrets),
  };
  const { outcome } = await exchange(made, tools, {
    secrets: [new Secret(endpoint), new Secret(vapid.privateKey), new Secret(keys.auth)],
    timeoutMs,
    isRepeatHarmless: true,
    // Neither failure says anything of the channel's other devices, so none switches it off.
    readFailure({ status }) {
      if (status === 404 || status === 410) {
        removeSubscription(tools.stateDir, id, endpoint);
        return failed("unavailable", `its subscription has ended (answered ${status}) and was removed; ${press}`);
      }
      if (status !== 401 && status !== 403) return undefined;
      const fix =
        sub === undefined
          ? 'set "contact": Apple wants to know whom it can write to'
          : 'press the button on the device again, or correct "contact"';
      return failed("rejected", `the push service answered ${status}; ${fix}`);
    },
  });
  return outcome;
}
