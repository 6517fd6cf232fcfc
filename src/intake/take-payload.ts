// The hook: standard input -> valid payload -> incoming/ -> wake the dispatcher.
import { hookCaller } from "../agents/read-payload.ts";
import { describeWriteError } from "../model/errors.ts";
import { writeIncoming } from "../outbox/write-incoming.ts";
import { layoutOf, withLayout } from "../outbox/layout.ts";
import { wakeDispatcher } from "../outbox/lease/wake.ts";
import { systemClock } from "../system/clock.ts";
import type { Environment } from "../system/environment.ts";
import { callerPids } from "../system/process/identity.ts";
import { dispatcherCommand } from "../system/bundle.ts";
import { findPlaces, withPlaces } from "../system/paths.ts";
import { readHookInput, type ReadPayload } from "./read-hook-input.ts";

/** Returns the lines for stderr; none when the payload is safe on the disk and can be sent. */
export async function takePayload(
  options: { agentId?: string | undefined; eventName?: string | undefined; setupName?: string | undefined },
  env: Environment,
  read?: ReadPayload,
): Promise<string[]> {
  const places = findPlaces(env);
  const layout = layoutOf(places.stateDir);
  const input = await readHookInput(options, env, layout, read);
  if (input.status === "refused") return input.lines;
  const { eventName } = input.reading;
  const { setupName } = options;
  const wake = (): string | undefined => {
    try {
      return wakeDispatcher(layout, {
        // The arguments are computed only when a dispatcher is started.
        get argv() {
          return dispatcherCommand();
        },
        get env() {
          return withPlaces(env, places);
        },
        nowMs: systemClock.now(),
      });
    } catch {
      // The next hook starts the dispatcher.
      return undefined;
    }
  };
  try {
    // The command line names the hook setup: one event may arrive through two.
    const agentId = options.agentId ?? input.reading.agentId;
    const nowMs = systemClock.now();
    const namedPid = env[input.reading.agent.variables.ofProcess ?? ""];
    const origin = { callerPids: callerPids(), namedPid, hookOf: hookCaller(env) };
    const hints = { agentId, eventName: options.eventName, ...origin, setupName, nowMs };
    withLayout(layout, () => writeIncoming(layout, input.bytes, hints));
  } catch (error) {
    // A dispatcher tells the person, without the disk.
    wake();
    return [`${eventName}: cannot keep the payload in ${layout.incoming}: ${describeWriteError(error)}`];
  }
  const trouble = wake();
  if (trouble === undefined) return [];
  return [`${eventName}: the payload is kept in ${layout.incoming}, but nothing can be sent: ${trouble}`];
}
