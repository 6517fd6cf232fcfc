// Shows a notification with the helper of node-notifier, on macOS, Windows and WSL.
import { delivered, failed, type Outcome } from "../../../model/outcome.ts";
import { printableLine } from "../../../model/text.ts";
import { showToast, type Toast, type ToastNotifier } from "../../../system/desktop/toast.ts";
import type { ChannelTools, SendRequest } from "../../channel-type.ts";
import { appName, type DesktopSettings, replacesEarlier, writePlain } from "./appearance.ts";

/** About seven seconds. */
const toastTimeoutMs = 15_000;

export const toastNotifiers: Partial<Record<NodeJS.Platform, ToastNotifier>> = {
  darwin: "NotificationCenter",
  win32: "WindowsToaster",
};

export async function sendToast(
  notifier: ToastNotifier,
  request: SendRequest<DesktopSettings>,
  tools: ChannelTools,
): Promise<Outcome> {
  const limits = { env: tools.env, timeoutMs: toastTimeoutMs, signal: tools.signal, workDir: tools.stateDir };
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

export function toastOf({ settings, message, event, deliveryId }: SendRequest<DesktopSettings>): Toast {
  const name = replacesEarlier(settings, event) ? event.session.replace(/[^\w-]/g, "") : deliveryId;
  return {
    ...writePlain(message),
    // The system allows 64 characters.
    group: `${appName}-${name.slice(0, 50)}`,
  };
}
