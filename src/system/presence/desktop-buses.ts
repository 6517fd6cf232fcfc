// How long the person has been idle and whether the screen is locked, from desktops and logind over D-Bus.
import { doNotStart, findSessionBuses, withSessionBus, type BusCall } from "../desktop/session-bus.ts";
import type { Environment } from "../environment.ts";
import { type Limits, merge, type PresenceSignals } from "./observed.ts";

const systemBus = "/run/dbus/system_bus_socket";

/** KDE counts in milliseconds, whatever the interface says. */
export async function observeDesktop(env: Environment, limits: Limits): Promise<PresenceSignals> {
  const session = await withSessionBus(findSessionBuses(env), limits, async (call) => {
    const [gnomeIdle, kdeIdle, ...locks] = await Promise.all([
      ask(call, "org.gnome.Mutter.IdleMonitor", "/org/gnome/Mutter/IdleMonitor/Core", "GetIdletime"),
      ask(call, "org.kde.screensaver", "/ScreenSaver", "GetSessionIdleTime", "org.freedesktop.ScreenSaver"),
      ask(call, "org.gnome.ScreenSaver", "/org/gnome/ScreenSaver", "GetActive"),
      ask(call, "org.freedesktop.ScreenSaver", "/org/freedesktop/ScreenSaver", "GetActive"),
    ]);
    const known = locks.filter((each) => typeof each === "boolean");
    return merge([
      { idleMs: numberOf(gnomeIdle) },
      { idleMs: numberOf(kdeIdle) },
      ...known.map((isLocked) => ({ isLocked })),
    ]);
  });
  return session.status === "done" ? session.value : {};
}

/** https://www.freedesktop.org/software/systemd/man/latest/org.freedesktop.login1.html */
export async function observeLogind(pid: number | undefined, limits: Limits, nowMs: number): Promise<PresenceSignals> {
  if (pid === undefined) return {};
  const logind = "org.freedesktop.login1";
  const session = await withSessionBus([systemBus], limits, async (call) => {
    const [path] = await call({
      destination: logind,
      path: "/org/freedesktop/login1",
      interface: `${logind}.Manager`,
      member: "GetSessionByPID",
      signature: "u",
      body: [pid],
    });
    const read = async (name: string): Promise<unknown> => {
      const [variant] = await call({
        destination: logind,
        path: String(path),
        interface: "org.freedesktop.DBus.Properties",
        member: "Get",
        signature: "ss",
        body: [`${logind}.Session`, name],
      });
      return valueOf(variant);
    };
    const [isLocked, isIdle, idleSinceUs] = await Promise.all(["LockedHint", "IdleHint", "IdleSinceHint"].map(read));
    // Many desktops never set the hint: only a true one counts.
    const idleMs = isIdle === true ? nowMs - Number(idleSinceUs) / 1000 : Number.NaN;
    return {
      ...(isLocked === true ? { isLocked } : {}),
      ...(Number.isFinite(idleMs) ? { idleMs } : {}),
    };
  });
  return session.status === "done" ? session.value : {};
}

async function ask(
  call: BusCall,
  destination: string,
  path: string,
  member: string,
  interfaceName: string = destination,
): Promise<unknown> {
  try {
    const [value] = await call({ destination, path, interface: interfaceName, member, flags: doNotStart });
    return value;
  } catch {
    return undefined;
  }
}

/** Text where 64 bits do not fit a number. */
function numberOf(value: unknown): number | undefined {
  const number = typeof value === "number" || typeof value === "string" ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

function valueOf(variant: unknown): unknown {
  const [, values] = Array.isArray(variant) ? (variant as unknown[]) : [];
  return Array.isArray(values) ? (values as unknown[])[0] : undefined;
}
