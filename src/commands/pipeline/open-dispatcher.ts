// Gives commands that write what a dispatcher has, and makes a dispatcher look.
import { join } from "node:path";
import { orUnwritable, viewDispatcher, wake } from "../../daemon/open-dispatcher.ts";
import type { Dispatcher } from "../../pipeline/dispatcher.ts";
import { ensureLayout, type Layout, layoutOf } from "../../outbox/layout.ts";
import { asidePrefix, removeIfThere } from "../../system/files/files.ts";
import { writeWholeSoon } from "../../system/files/write.ts";
import type { CommandIo } from "../../console/command-io.ts";

/** Commands that write use it: it creates the folders. `rulesFile` is the one given with `--config`. */
export async function openDispatcher(io: CommandIo, rulesFile?: string): Promise<Dispatcher> {
  openLayout(io);
  return await viewDispatcher(io, rulesFile);
}

/** Commands that write and send nothing use it. */
export function openLayout(io: CommandIo): Layout {
  const layout = layoutOf(io.places.stateDir);
  orUnwritable(layout, () => ensureLayout(layout));
  return layout;
}

/** A dispatcher that runs looks at its remotes when something changes in incoming/; otherwise one is started. */
export function nudgeDispatcher(io: CommandIo, layout: Layout): void {
  const path = join(layout.incoming, `${asidePrefix}remotes`);
  writeWholeSoon(path, "");
  removeIfThere(path);
  wake(io);
}
