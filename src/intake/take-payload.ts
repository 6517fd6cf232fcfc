import { describeWriteError } from "../model/errors.ts";
import { writeIncoming } from "../outbox/write-incoming.ts";
import { layoutOf, withLayout } from "../outbox/layout.ts";
import { wakeDispatcher } from "../outbox/wake.ts";
import { systemClock } from "../system/clock.ts";
import type { Environment } from "../system/environment.ts";
import { callerPids } from "../system/process/identity.ts";
import { dispatcherCommand } from "../system/bundle.ts";
import { findPlaces, withPlaces } from "../system/paths.ts";
import { readHookInput } from "./read-hook-input.ts";

/**
 * The hot path, inside the agent's turn: standard input -> valid payload -> incoming/ -> wake the dispatcher.
 * Returns the lines for stderr, one a problem; none when the payload is safe on the disk.
 */
export async function takePayload(
  options: { agentId?: string | undefined; eventName?: string | undefined; wiredBy?: string | undefined },
  env: Environment,
): Promise<string[]> {
  const places = findPlaces(env);
  const layout = layoutOf(places.stateDir);
  const input = await readHookInput(options, env, layout);
  if (input.status === "refused") return input.lines;
  const { eventName } = input.reading;
  const { wiredBy } = options;
  try {
    // What it was called as, since one event may come by two wirings; the payload says again whose it is.
    const agentId = options.agentId ?? input.reading.agentId;
    const nowMs = systemClock.now();
    const hints = { agentId, eventName: options.eventName, callerPids: callerPids(), wiredBy, nowMs };
    withLayout(layout, () => writeIncoming(layout, input.bytes, hints));
  } catch (error) {
    return [`${eventName}: cannot keep the payload in ${layout.incoming}: ${describeWriteError(error)}`];
  }
  try {
    await wakeDispatcher(layout, {
      // Worked out only when there is one to start.
      get argv() {
        return dispatcherCommand();
      },
      get env() {
        return withPlaces(env, places);
      },
      nowMs: systemClock.now(),
    });
  } catch {
    // The payload is safe; the next hook starts the dispatcher.
  }
  return [];
}
