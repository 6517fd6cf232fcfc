// Gives a dispatcher, and commands that look at its state, the layout, the rules and the tools.
import { openRules } from "../pipeline/current-rules.ts";
import type { Dispatcher } from "../pipeline/dispatcher.ts";
import { growingTools } from "../pipeline/understand/agent-environment.ts";
import { describeWriteError, exitCodes, UserError } from "../model/errors.ts";
import { type Layout, layoutOf } from "../outbox/layout.ts";
import { wakeDispatcher } from "../outbox/lease/wake.ts";
import { leaveOut } from "../outbox/stuck/left-out.ts";
import { dispatcherCommand } from "../system/bundle.ts";
import type { Clock, Random } from "../system/clock.ts";
import type { Environment } from "../system/environment.ts";
import { remedyHint } from "../system/files/unwritable.ts";
import { createSendHttp } from "../system/network/send.ts";
import { type Places, withPlaces } from "../system/paths.ts";
import { hostName } from "../system/process/identity.ts";

/** What the process gives a dispatcher: its environment, clock, chance and folders. */
export interface DaemonIo {
  places: Places;
  env: Environment;
  clock: Clock;
  random: Random;
  platform: NodeJS.Platform;
  untilStopped(): AbortSignal;
}

/** Throws a `UserError` for a folder that cannot be made. */
export function orUnwritable(layout: Layout, make: () => void): void {
  try {
    make();
  } catch (error) {
    const { path = layout.root } = error as { path?: string };
    throw new UserError("state.unwritable", `cannot create the folder ${path}: ${describeWriteError(error)}`, {
      hint: remedyHint(error, path),
      exitCode: exitCodes.cannotWrite,
    });
  }
}

/**
 * Creates no folders. `rulesFile` is the one given with `--config`: it becomes the copy of the last good rules only where
 * `isInEffect`, in the dispatcher that sends by it.
 */
export async function viewDispatcher(
  io: Omit<DaemonIo, "untilStopped">,
  rulesFile?: string,
  isInEffect = rulesFile === undefined,
): Promise<Dispatcher> {
  const { places, env, clock, random, platform } = io;
  const layout = layoutOf(places.stateDir);
  leaveOut(layout);
  return {
    layout,
    ...(await openRules(rulesFile ?? places.rulesFile, isInEffect ? layout : undefined)),
    ...growingTools({
      clock,
      random,
      env,
      platform,
      http: createSendHttp(env),
      home: places.home,
      stateDir: layout.root,
    }),
    host: hostName(),
    fleet: () => undefined,
    // The probes load only if a rule needs them.
    async observePresence(terminal, current) {
      const { probePresence } = await import("../system/presence/probe.ts");
      return probePresence({ terminal, env: current, platform, nowMs: clock.now() });
    },
  };
}

/** Starts a background dispatcher, unless one is running. */
export function wake(io: Pick<DaemonIo, "places" | "env" | "clock">): void {
  const layout = layoutOf(io.places.stateDir);
  const env = withPlaces(io.env, io.places);
  wakeDispatcher(layout, { argv: dispatcherCommand(), env, nowMs: io.clock.now() });
}
