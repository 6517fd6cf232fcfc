import * as z from "zod";
import type { Level } from "../model/level.ts";
import { messageOf } from "../model/errors.ts";
import { delivered, failed, type Failed, type FailureReason, type Outcome } from "../model/outcome.ts";
import { cut, measures, printable, printableLine } from "../model/text.ts";
import { findSessionBuses } from "../system/bus-address.ts";
import {
  closeNotification,
  findNotificationServer,
  showNotification,
  type NotificationServer,
} from "../system/dbus-notifications.ts";
import { withSessionBus, type BusCall, type BusSession } from "../system/session-bus.ts";
import { showToast, type ToastNotifier } from "../system/toast-helper.ts";
import { defineChannel, type ChannelTools, type SendRequest } from "./define-channel.ts";
import { durationSetting } from "./setting-types.ts";

const docs = "https://specifications.freedesktop.org/notification-spec/latest/";
const appName = "hookbell";

/** Code points. Daemons show about 40 of a title and a few lines of a body; the rest only costs them time. */
export const titleLimit = 100;
/** Code points, after escaping. */
export const bodyLimit = 1000;
/** A daemon that is alive answers in milliseconds. */
export const busTimeoutMs = 5000;
/** SnoreToast ends with its toast, after about seven seconds. */
const toastTimeoutMs = 15_000;
const longestDisplayMs = 2 ** 31 - 1;

const urgencies = { low: 0, normal: 1, critical: 2 } as const;
export const urgencyByLevel: Record<Level, number> = {
  info: urgencies.low,
  success: urgencies.normal,
  attention: urgencies.normal,
  error: urgencies.critical,
};
const iconByLevel: Record<Level, string> = {
  info: "dialog-information",
  success: "dialog-information",
  attention: "dialog-warning",
  error: "dialog-error",
};

const settings = z.strictObject({
  displayFor: durationSetting(
    "how long it stays on the screen, where the desktop lets us say; else it decides",
  ).optional(),
  urgency: z
    .enum(["low", "normal", "critical"])
    .describe("instead of the one that goes with the level; critical ones stay until they are closed")
    .optional(),
  daemonSound: z.boolean().default(false).describe("let the desktop play its own sound with it"),
});
type Settings = z.infer<typeof settings>;

/** dunst renders markup by default and yet does not list `body-markup`. */
const markupServersThatDoNotSay = new Set(["dunst"]);

/**
 * The body such that every character of it is seen as it is. A daemon that renders markup gets it escaped; from one
 * that does not say so, `&lt;` might be seen, so each `<` gets a zero-width space behind it, which is no tag to anybody.
 */
export function writeBody(body: string, server: Pick<NotificationServer, "name" | "capabilities">): string {
  const rendersMarkup = server.capabilities.includes("body-markup") || markupServersThatDoNotSay.has(server.name);
  return cut(printable(body), bodyLimit, measures.codePoints, rendersMarkup ? escapeMarkup : defuseMarkup);
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? "");
}

function defuseMarkup(text: string): string {
  return text.replaceAll("<", "<\u200B");
}

/** Titles are plain text in the protocol and are never escaped. */
export function writeTitle(title: string): string {
  return cut(printableLine(title), titleLimit) || appName;
}

/** The id to replace, if the daemon that gave it is the one there now: another's ids are other programs' notifications. */
export function rememberedId(
  remembered: Readonly<Record<string, string>> | undefined,
  server: NotificationServer,
): number | undefined {
  if (remembered?.server !== server.identity) return undefined;
  const id = Number(remembered.notificationId);
  return Number.isInteger(id) && id > 0 && id < 2 ** 32 ? id : undefined;
}

const install = "install a notification daemon (dunst, mako, notification-daemon) or start your desktop's own";

const reasonByBusError: Record<string, FailureReason> = {
  "org.freedesktop.DBus.Error.NoReply": "timeout",
  "org.freedesktop.DBus.Error.Timeout": "timeout",
  "org.freedesktop.DBus.Error.TimedOut": "timeout",
  "org.freedesktop.DBus.Error.LimitsExceeded": "rateLimited",
  "org.freedesktop.Notifications.Error.ExcessNotificationGeneration": "rateLimited",
  "org.freedesktop.DBus.Error.ServiceUnknown": "unavailable",
  "org.freedesktop.DBus.Error.NameHasNoOwner": "unavailable",
  "org.freedesktop.DBus.Error.AccessDenied": "unavailable",
};

/** What a bus error's name means; a daemon that the bus could not start is as good as none. */
export function reasonOfBusError(errorName: string): FailureReason {
  if (errorName.startsWith("org.freedesktop.DBus.Error.Spawn.")) return "unavailable";
  return reasonByBusError[errorName] ?? "rejected";
}

/** What `use` made of the daemon there is; every way in which there is none, or none that answers, is a failure. */
async function withServer<T>(
  tools: ChannelTools,
  use: (server: NotificationServer, call: BusCall) => Promise<T>,
): Promise<{ value: T } | Failed> {
  const limits = { timeoutMs: busTimeoutMs, signal: tools.signal };
  try {
    const session = await withSessionBus(findSessionBuses(tools.env), limits, async (call) => {
      const server = await findNotificationServer(call);
      return server === undefined ? undefined : { value: await use(server, call) };
    });
    return readSession(session);
  } catch (error) {
    return failed("rejected", `the D-Bus library failed: ${printableLine(messageOf(error))}`);
  }
}

function readSession<T>(session: BusSession<{ value: T } | undefined>): { value: T } | Failed {
  switch (session.status) {
    case "done":
      return session.value ?? failed("unavailable", `no notification daemon on the session bus: ${install}`);
    case "noBus":
      return failed(
        "unavailable",
        `no D-Bus session bus (${session.detail}): log in to a desktop, or use another channel`,
      );
    case "refused": {
      const reason = reasonOfBusError(session.error.errorName);
      const said = printableLine(`${session.error.errorName}: ${session.error.message}`).slice(0, 300);
      return failed(reason, reason === "unavailable" ? `${said}; ${install}` : said);
    }
    case "timedOut":
      return failed("timeout", "the notification daemon does not answer; restart it");
    case "broken":
      return failed("network", `the session bus: ${printableLine(session.detail)}`);
  }
}

async function sendOverBus(request: SendRequest<Settings>, tools: ChannelTools): Promise<Outcome> {
  const { settings: own, message } = request;
  // A frozen daemon stops us before `use`, and so has no notification in its queue to show twice once it thaws.
  const shown = await withServer(tools, async (server, call) => {
    const notification = {
      replacesId: rememberedId(request.remembered, server) ?? 0,
      icon: iconByLevel[message.level],
      title: writeTitle(message.title),
      body: writeBody(message.body, server),
      urgency: own.urgency === undefined ? urgencyByLevel[message.level] : urgencies[own.urgency],
      category: `x-${appName}.${message.level}`,
      isSilent: !own.daemonSound,
      expireMs: own.displayFor === undefined ? -1 : Math.min(own.displayFor, longestDisplayMs),
    };
    return { server, id: await showNotification(call, notification, appName) };
  });
  if ("status" in shown) return shown;
  const { server, id } = shown.value;
  return delivered({
    detail: `shown by ${printableLine(`${server.name} ${server.version}`)} as ${id}`,
    remember: { notificationId: String(id), server: server.identity },
  });
}

/** The system's own notifier, where there is no D-Bus. */
const toastNotifiers: Partial<Record<NodeJS.Platform, ToastNotifier>> = {
  darwin: "NotificationCenter",
  win32: "WindowsToaster",
};

async function sendToast(
  notifier: ToastNotifier,
  { message, event }: SendRequest<Settings>,
  tools: ChannelTools,
): Promise<Outcome> {
  const toast = {
    title: writeTitle(message.title),
    body: cut(printable(message.body), bodyLimit),
    // The system's own bound for such names is 64.
    group: `${appName}-${event.session.replace(/[^\w-]/g, "").slice(0, 50)}`,
  };
  const limits = { env: tools.env, timeoutMs: toastTimeoutMs, signal: tools.signal, workDir: tools.stateDir };
  const result = await showToast(notifier, toast, limits);
  switch (result.status) {
    case "exited":
      if (result.code === 0) return delivered({ detail: `handed to ${notifier}` });
      return failed("unavailable", `${notifier}: ${printableLine(result.stderr).slice(0, 300)}`);
    case "timedOut":
      return failed("timeout", `${notifier} did not end`);
    case "killed":
      return failed("unavailable", `${notifier} was ended by ${result.signal}`);
    case "notStarted":
      return failed("unavailable", `${notifier}: ${result.detail}`);
  }
}

/**
 * A notification on the person's own screen.
 *
 * Linux and BSD: straight to the daemon over D-Bus. `notify-send` is no second way: it needs the same bus and the same
 * daemon, and node-notifier calls it through a shell. macOS, Windows and WSL: the helpers that node-notifier brings;
 * written from their documentation and not yet tried there. A permission that is off, or a focus mode, drops a
 * notification without a word on both.
 */
export const desktop = defineChannel<Settings>({
  type: "desktop",
  summary: "A notification on this computer's screen",
  docs,
  settings,
  limits: [
    { what: "title", most: titleLimit, unit: "codePoints", source: "ours" },
    { what: "body", most: bodyLimit, unit: "codePoints", source: "ours" },
  ],
  expiresAfterMs: 10 * 60_000,
  timeoutMs: 20_000,
  isRepeatHarmless: true,
  passesPayload: false,
  async send(request, tools) {
    const notifier = toastNotifiers[tools.platform];
    if (notifier !== undefined) return sendToast(notifier, request, tools);
    const outcome = await sendOverBus(request, tools);
    const isUnavailable = outcome.status === "failed" && outcome.reason === "unavailable";
    // A Linux inside Windows mostly has no daemon of its own, and can show Windows' toasts.
    return isUnavailable && tools.env.WSL_DISTRO_NAME !== undefined
      ? sendToast("WindowsToaster", request, tools)
      : outcome;
  },
  async withdraw(_settings, remembered, tools) {
    if (toastNotifiers[tools.platform] !== undefined) return;
    await withServer(tools, async (server, call) => {
      const id = rememberedId(remembered, server);
      if (id !== undefined) await closeNotification(call, id);
    });
  },
  async probe(_settings, tools) {
    const notifier = toastNotifiers[tools.platform];
    if (notifier !== undefined) {
      return { status: "ok", detail: `${notifier} of node-notifier; only \`${appName} test\` shows if it may` };
    }
    const found = await withServer(tools, async (server) => printableLine(`${server.name} ${server.version}`));
    return "status" in found
      ? { status: "broken", detail: found.detail, mend: install }
      : { status: "ok", detail: found.value };
  },
});
