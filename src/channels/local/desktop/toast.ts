import { delivered, failed, type Outcome } from "../../../model/outcome.ts";
import { cut, printable, printableLine } from "../../../model/text.ts";
import { showToast, type Toast, type ToastNotifier } from "../../../system/desktop/toast.ts";
import type { ChannelTools, SendRequest } from "../../channel-type.ts";
import { appName, bodyLimit, type DesktopSettings, replacesEarlier, writeTitle } from "./appearance.ts";

/** SnoreToast ends with its toast, after about seven seconds. */
const toastTimeoutMs = 15_000;

/** The system's own notifier, where there is no D-Bus. */
export const toastNotifiers: Partial<Record<NodeJS.Platform, ToastNotifier>> = {
  darwin: "NotificationCenter",
  win32: "WindowsToaster",
};

/** Through the helper that node-notifier brings for the system. */
export async function sendToast(
  notifier: ToastNotifier,
  request: SendRequest<DesktopSettings>,
  tools: ChannelTools,
): Promise<Outcome> {
  const limits = { env: tools.env, timeoutMs: toastTimeoutMs, signal: tools.signal, workDir: tools.stateDir };
  const result = await showToast(notifier, toastOf(request), limits);
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

/** What the helper is asked to show. */
export function toastOf({ settings, message, event, deliveryId }: SendRequest<DesktopSettings>): Toast {
  const name = replacesEarlier(settings, event) ? event.session.replace(/[^\w-]/g, "") : deliveryId;
  return {
    title: writeTitle(message.title),
    body: cut(printable(message.body).trim(), bodyLimit),
    // The system's own bound for such names is 64.
    group: `${appName}-${name.slice(0, 50)}`,
  };
}
