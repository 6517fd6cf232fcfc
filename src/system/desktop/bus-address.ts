import type { Environment } from "../environment.ts";

/**
 * Where the person's session bus may listen, best first, as paths for `net.connect`; an abstract socket starts with
 * NUL. `DBUS_SESSION_BUS_ADDRESS` comes first; the runtime folder's socket follows, because a program that outlived a
 * login (tmux, a dispatcher) still has the old address. Addresses that are not local sockets are left out.
 * https://dbus.freedesktop.org/doc/dbus-specification.html#addresses
 */
export function findSessionBuses(env: Environment, userId: number | null = process.getuid?.() ?? null): string[] {
  const runtimeDir = env.XDG_RUNTIME_DIR || (userId === null ? undefined : `/run/user/${userId}`);
  const runtimeBus = runtimeDir === undefined ? [] : [`${runtimeDir}/bus`];
  const listed = (env.DBUS_SESSION_BUS_ADDRESS ?? "").split(";").flatMap((address) => {
    const [transport, rest = ""] = splitOnce(address, ":");
    if (transport !== "unix") return [];
    const keys = new Map(rest.split(",").map((pair) => splitOnce(pair, "=")));
    if (keys.get("runtime") === "yes") return runtimeBus;
    const path = unescapeValue(keys.get("path"));
    if (path) return [path];
    const abstract = unescapeValue(keys.get("abstract"));
    return abstract ? [`\0${abstract}`] : [];
  });
  return [...new Set([...listed, ...runtimeBus])];
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

/** Values are percent-encoded bytes; one that is not is no address. */
function unescapeValue(value: string | undefined): string | undefined {
  try {
    return value === undefined ? undefined : decodeURIComponent(value);
  } catch {
    return undefined;
  }
}
