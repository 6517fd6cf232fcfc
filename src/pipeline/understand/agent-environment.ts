// Completes the dispatcher's environment with the agents': the first hook may have had no display.
import { sourcesIn } from "../../model/privacy/secret.ts";
import type { Rules } from "../../rules/rules.ts";
import { environmentOf } from "../../system/environment.ts";
import { processLook, processSeenFor } from "../../system/process/facts.ts";
import type { Dispatcher } from "../dispatcher.ts";

/** The desktop, the sound server and the language. */
const desktopVariables = [
  "DBUS_SESSION_BUS_ADDRESS",
  "DISPLAY",
  "WAYLAND_DISPLAY",
  "XAUTHORITY",
  "XDG_RUNTIME_DIR",
  "XDG_CURRENT_DESKTOP",
  "PULSE_SERVER",
  "PULSE_COOKIE",
  "PIPEWIRE_REMOTE",
  "LANG",
  "LC_ALL",
  "LC_MESSAGES",
];

/** All that hold the tools see the environment grow. */
export function growingTools(tools: Dispatcher["tools"]): Pick<Dispatcher, "tools" | "addToEnvironment"> {
  let { env } = tools;
  return {
    tools: {
      ...tools,
      get env() {
        return env;
      },
    },
    addToEnvironment(found) {
      env = { ...env, ...found };
    },
  };
}

/** The environment stays in memory, and is known on Linux only. */
export function adoptEnvironment(
  dispatcher: Dispatcher,
  { callerPids, receivedAt }: { callerPids: readonly number[]; receivedAt: number },
): void {
  const { tools } = dispatcher;
  const names = [...desktopVariables, ...secretVariables(dispatcher.rules().rules)].filter((name) => !tools.env[name]);
  if (names.length === 0 || tools.platform !== "linux") return;
  const look = processLook(tools.platform);
  for (const pid of callerPids) {
    if (processSeenFor(pid, tools.clock.now() - receivedAt, look) === undefined) continue;
    const found = Object.entries(environmentOf(pid, names) ?? {}).filter(([, value]) => value !== "");
    // The shell of a hook that has ended has none of them; the agent that called it does.
    if (found.length === 0) continue;
    return dispatcher.addToEnvironment(Object.fromEntries(found));
  }
}

/** The variables of every `{ "env": NAME }`. */
export function secretVariables({ channels }: Pick<Rules, "channels">): Set<string> {
  const sources = Object.values(channels).flatMap(({ settings }) => sourcesIn(settings));
  return new Set(sources.flatMap((source) => (source.from === "env" ? [source.name] : [])));
}
