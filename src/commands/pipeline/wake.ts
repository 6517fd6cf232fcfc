import { layoutOf } from "../../outbox/layout.ts";
import { wakeDispatcher } from "../../outbox/wake.ts";
import { dispatcherCommand } from "../../system/bundle.ts";
import { withPlaces } from "../../system/paths.ts";
import type { CommandIo } from "../console/command-io.ts";

/** Starts the dispatcher in the background, unless one runs. */
export async function wake(io: CommandIo): Promise<void> {
  const layout = layoutOf(io.places.stateDir);
  const env = withPlaces(io.env, io.places);
  await wakeDispatcher(layout, { argv: dispatcherCommand(), env, nowMs: io.clock.now() });
}
