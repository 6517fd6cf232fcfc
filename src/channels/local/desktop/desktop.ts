// Notifications on this computer's screen.
import { printableLine } from "../../../model/text.ts";
import { closeNotification } from "../../../system/desktop/dbus-notifications.ts";
import { defineChannel, lifetimeMs } from "../../channel-type.ts";
import { appName, bodyLimit, desktopSettings, type DesktopSettings, titleLimit } from "./appearance.ts";
import { install, rememberedId, withServer } from "./bus.ts";
import { describeClick, describeToastClick } from "./click.ts";
import { desktopAnswers, showOverBus } from "./show.ts";
import { sendToast, toastNotifiers } from "./toast.ts";

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
  hasOneLineTitle: true,
  raisesTerminal: true,
  isRepeatHarmless: true,
  content: "full",
  passesPayload: false,
  async send(request, tools) {
    const notifier = toastNotifiers[tools.platform];
    if (notifier !== undefined) return sendToast(notifier, request, tools);
    const outcome = await showOverBus(request, tools);
    const isUnavailable = outcome.status === "failed" && outcome.reason === "unavailable";
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
        detail: `${notifier} of node-notifier; only \`${appName} test\` shows whether it is allowed; ${describeToastClick(settings.click, tools)}`,
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
