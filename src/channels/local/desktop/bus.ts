// The daemon on the D-Bus session bus: finding it, its ids, and what its failures mean.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { messageOf } from "../../../model/errors.ts";
import { failed, type Failed, type FailureReason } from "../../../model/outcome.ts";
import { printableLine } from "../../../model/text.ts";
import { ownPackageFolder } from "../../../system/package.ts";
import {
  type BusCall,
  type BusSession,
  findSessionBuses,
  withSessionBus,
} from "../../../system/desktop/session-bus.ts";
import { findNotificationServer, type NotificationServer } from "../../../system/desktop/dbus-notifications.ts";
import type { ChannelTools } from "../../channel-type.ts";
import type { Level } from "../../../model/level.ts";

export const busTimeoutMs = 5000;
export const install = "install a notification daemon (dunst, mako, notification-daemon) or start your desktop's own";

/** An icon theme may be missing. */
export function iconOf(level: Level): string {
  return pathToFileURL(join(ownPackageFolder(), "icons", `${level}.png`)).href;
}

export async function withServer<T>(
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

export function readSession<T>(session: BusSession<{ value: T } | undefined>): { value: T } | Failed {
  switch (session.status) {
    case "done":
      return session.value ?? failed("unavailable", `no notification daemon on the session bus; ${install}`);
    case "noBus":
      return failed(
        "unavailable",
        `no D-Bus session bus (${session.detail}); log in to a desktop, or use another channel`,
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

/** The ids of another daemon are other programs' notifications. */
export function rememberedId(
  remembered: Readonly<Record<string, string>> | undefined,
  server: NotificationServer,
): number | undefined {
  if (remembered?.server !== server.identity) return undefined;
  const id = Number(remembered.notificationId);
  return Number.isInteger(id) && id > 0 && id < 2 ** 32 ? id : undefined;
}

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

export function reasonOfBusError(errorName: string): FailureReason {
  if (errorName.startsWith("org.freedesktop.DBus.Error.Spawn.")) return "unavailable";
  return reasonByBusError[errorName] ?? "rejected";
}
