// Gives commands the layout, the rules and the tools that a dispatcher has.
import { join } from "node:path";
import { openRules } from "../../dispatch/current-rules.ts";
import type { Dispatcher } from "../../dispatch/dispatcher.ts";
import { describeWriteError, exitCodes, UserError } from "../../model/errors.ts";
import { ensureLayout, type Layout, layoutOf } from "../../outbox/layout.ts";
import { leaveOut } from "../../outbox/stuck/left-out.ts";
import { wakeDispatcher } from "../../outbox/lease/wake.ts";
import { dispatcherCommand } from "../../system/bundle.ts";
import { asidePrefix, removeIfThere } from "../../system/files/files.ts";
import { writeWholeSoon } from "../../system/files/write.ts";
import { remedyHint } from "../../system/files/unwritable.ts";
import { createSendHttp } from "../../system/network/send.ts";
import { growingTools } from "../../dispatch/understand/agent-environment.ts";
import { withPlaces } from "../../system/paths.ts";
import { hostName } from "../../system/process/identity.ts";
import type { CommandIo } from "../console/command-io.ts";

/** Commands that write use it: it creates the folders. `rulesFile` is the one given with `--config`. */
export async function openDispatcher(io: CommandIo, rulesFile?: string): Promise<Dispatcher> {
  const layout = layoutOf(io.places.stateDir);
  orUnwritable(layout, () => ensureLayout(layout));
  return await viewDispatcher(io, rulesFile);
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

/** Commands that only read use it: it creates no folders. */
export async function viewDispatcher(
  io: Pick<CommandIo, "places" | "env" | "clock" | "random" | "platform">,
  rulesFile?: string,
): Promise<Dispatcher> {
  const { places, env, clock, random, platform } = io;
  const layout = layoutOf(places.stateDir);
  leaveOut(layout);
  return {
    layout,
    ...(await openRules(rulesFile ?? places.rulesFile, layout)),
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
      const { probePresence } = await import("../../system/presence/probe.ts");
      return probePresence({ terminal, env: current, platform, nowMs: clock.now() });
    },
  };
}

/** Starts a background dispatcher, unless one is running. */
export function wake(io: CommandIo): void {
  const layout = layoutOf(io.places.stateDir);
  const env = withPlaces(io.env, io.places);
  wakeDispatcher(layout, { argv: dispatcherCommand(), env, nowMs: io.clock.now() });
}

/** A dispatcher that runs looks at its remotes when something changes in incoming/; otherwise one is started. */
export function nudgeDispatcher(io: CommandIo, layout: Layout): void {
  const path = join(layout.incoming, `${asidePrefix}remotes`);
  writeWholeSoon(path, "");
  removeIfThere(path);
  wake(io);
}
