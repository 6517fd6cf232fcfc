// What the page adds to `hookbell serve`.
import { devicesFolder, listDevices } from "../../answers/browsers/devices.ts";
import type { OpenPart } from "../../console/command.ts";
import { UserError } from "../../model/errors.ts";
import { layoutOf } from "../../outbox/layout.ts";
import { findDistrust } from "../../system/files/inspect-path.ts";
import { createPage } from "./page.ts";

/** Undefined where no one has said by which address browsers reach it. */
export const openPage: OpenPart = async ({ io, origin, isLocal }) => {
  if (origin === undefined && !isLocal) return undefined;
  const layout = layoutOf(io.places.stateDir);
  const distrust = findDistrust(devicesFolder(layout));
  if (distrust !== undefined) {
    throw new UserError("server.folder", `${distrust.path} ${distrust.why}`, { hint: `to use it: ${distrust.fix}` });
  }
  const page = createPage(io, origin);
  return {
    ...page,
    onListening(url) {
      page.onListening?.(url);
      if (listDevices(layout).length > 0) return;
      io.stderr("hookbell: to see your sessions in a browser, pair it: hookbell devices add\n");
    },
  };
};
