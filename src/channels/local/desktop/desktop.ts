// Notifications on this computer's screen.
import { printableLine } from "../../../model/text.ts";
import { closeNotification } from "../../../system/desktop/dbus-notifications.ts";
import { type ChannelTools, defineChannel, lifetimeMs, type SendRequest } from "../../channel-type.ts";
import {
  appName,
  bodyLimit,
  desktopSettings,
  type DesktopSettings,
  replacesEarlier,
  titleLimit,
  writeFor,
} from "./appearance.ts";
import { install, rememberedId, withServer } from "./bus.ts";
import { describeClick, describeToastClick } from "./click.ts";
import { desktopAnswers, showOverBus } from "./show.ts";
import { delivered, failed, type Outcome } from "../../../model/outcome.ts";
import { findProgram } from "../../../system/process/find-program.ts";
import { showToast, type Toast, type ToastNotifier } from "../../../system/desktop/toast.ts";

/**
 * Linux and BSD: the daemon over D-Bus. `notify-send` needs the same bus and daemon, and node-notifier calls it through a
 * shell. macOS, Windows and WSL: the helpers of node-notifier, implemented from their documentation, not tested there.
 */
export const desktop = defineChannel<DesktopSettings>({
  docs: "https://specifications.freedesktop.org/notification-spec/latest/",
  settings: desktopSettings,
  limits: [
    { what: "title", most: titleLimit, unit: "codePoints", source: "ours" },
    { what: "body", most: bodyLimit, unit: "codePoints", source: "ours" },
  ],
  expiresAfterMs: lifetimeMs.screen,
  timeoutMs: 20_000,
  summaryFrom: 3,
  showsList: () => "always",
  raisesTerminal: true,
  isRepeatHarmless: true,
  content: "full",
  isShort: true,
  async send(request, tools) {
    const notifier = toastNotifiers[tools.platform];
    if (notifier !== undefined) return sendToast(notifier, request, tools);
    const outcome = await showOverBus(request, tools);
    const isUnavailable = outcome.status === "failed" && outcome.reason === "unavailable";
    return isUnavailable && tools.env.WSL_DISTRO_NAME !== undefined
      ? sendToast("WindowsToaster", request, tools)
      : outcome;
  },
  async retract(_settings, remembered, tools) {
    if (toastNotifiers[tools.platform] !== undefined) return;
    await withServer(tools, async (server, call) => {
      const id = rememberedId(remembered, server);
      if (id !== undefined) await closeNotification(call, id);
    });
  },
  answers: desktopAnswers,
  noticing: {
    how: "see",
    otherwise: [
      "switch do not disturb (focus, quiet hours) off; suppressed notifications are in the notification centre",
      "allow the notifications of node-notifier: macOS and Windows have a switch for each program",
      "make sure that you look at the right screen: not a server's, another session's or a virtual machine's",
    ],
  },
  async probe(settings, tools) {
    const notifier = toastNotifiers[tools.platform];
    if (notifier !== undefined) {
      return {
        status: "ok",
        detail: `${describeHelper(notifier, tools)}; only \`${appName} test\` shows whether it is allowed; ${describeToastClick(settings.click, tools)}`,
      };
    }
    const found = await withServer(tools, async (server) => {
      const click = await describeClick(settings.click, server, tools);
      return [printableLine(`${server.name} ${server.version}`), ...(click === undefined ? [] : [click])].join("; ");
    });
    if (!("status" in found)) return { status: "ok", detail: found.value };
    const isElsewhere = !tools.env.DISPLAY && !tools.env.WAYLAND_DISPLAY;
    return { status: "broken", detail: found.detail, fix: install, isElsewhere };
  },
});

/** About seven seconds. */
const toastTimeoutMs = 15_000;

const toastNotifiers: Partial<Record<NodeJS.Platform, ToastNotifier>> = {
  darwin: "NotificationCenter",
  win32: "WindowsToaster",
};

/** node-notifier's own for macOS is one for Intel's processors; Homebrew has one for both. */
function ownHelper({ env, platform }: Pick<ChannelTools, "env" | "platform">): string | undefined {
  return platform === "darwin" ? findProgram("terminal-notifier", env, platform) : undefined;
}

function describeHelper(notifier: ToastNotifier, tools: ChannelTools): string {
  const path = ownHelper(tools);
  if (path !== undefined) return `${notifier} by ${path}`;
  const needs =
    "which needs Rosetta on Apple silicon unless there is a terminal-notifier (brew install terminal-notifier)";
  return `${notifier} of node-notifier${tools.platform === "darwin" ? `, ${needs}` : ""}`;
}

async function sendToast(
  notifier: ToastNotifier,
  request: SendRequest<DesktopSettings>,
  tools: ChannelTools,
): Promise<Outcome> {
  const { env, signal, stateDir: workDir } = tools;
  const limits = { env, timeoutMs: toastTimeoutMs, signal, workDir, helperPath: ownHelper(tools) };
  const result = await showToast(notifier, { ...toastOf(request), click: clickOf(request.settings, tools) }, limits);
  switch (result.status) {
    case "exited":
      if (result.code === 0) return delivered({ detail: `handed to ${notifier}` });
      return failed("unavailable", `${notifier}: ${printableLine(result.stderr).slice(0, 300)}`);
    case "timedOut":
      return failed("timeout", `${notifier} did not end`);
    case "killed":
      return failed("unavailable", `${notifier} was killed by ${result.signal}`);
    case "notStarted":
      return failed("unavailable", `${notifier}: ${result.detail}`);
  }
}

/** The agent's terminal gives its name to all that runs in it. */
function clickOf({ click }: DesktopSettings, { env }: Pick<ChannelTools, "env">): Toast["click"] {
  if (click === "none") return undefined;
  if (click !== "terminal") return { open: click };
  const { __CFBundleIdentifier: activate } = env;
  return activate ? { activate } : undefined;
}

export function toastOf(request: SendRequest<DesktopSettings>): Toast {
  const { settings, message, event, deliveryId } = request;
  const name = replacesEarlier(settings, request) ? event.session.replace(/[^\w-]/g, "") : deliveryId;
  return {
    ...writeFor(message, undefined),
    // The system allows 64 characters.
    group: `${appName}-${name.slice(0, 50)}`,
  };
}
