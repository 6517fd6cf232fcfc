// What the platform's API adds to `hookbell serve`.
import type { OpenPart, ServeGiven } from "../../../console/command.ts";
import { viewDispatcher } from "../../../daemon/open-dispatcher.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { messageOf } from "../../../model/errors.ts";
import { printableLine } from "../../../model/text.ts";
import { userName } from "../../../system/process/identity.ts";
import { findPlatformClient, readSettings } from "./open-client.ts";
import { dataDirOf } from "./server-folder.ts";
import type { Computer } from "../contract/computers.ts";
import { queueEvents } from "../events/ask-for-news.ts";
import { sessionEvents } from "../events/install.ts";
import { createUsageTab } from "../page-tab/tab.ts";
import { readKeys } from "../server/keys.ts";
import { openPlatformServer } from "../server/server.ts";

export const openApi: OpenPart = async (given) => {
  const { io, value, isSet, stop, onNote } = given;
  const dataDir = dataDirOf(value("data"), io);
  const served = await openPlatformServer({
    dataDir,
    isStandby: isSet("standby"),
    isBackfill: isSet("backfill"),
    user: value("user") ?? userName(io.env),
    stateDir: io.places.stateDir,
    home: io.places.home,
    env: io.env,
    clock: io.clock,
    stop,
    onInstallStarted: async (computer) => await sendInstallEvents(computer, io),
    onInstallEnded: async (computer) => await sendInstallEvents(computer, io),
    tab: (parts) =>
      createUsageTab(parts, async (onNote) => await findPlatformClient(io, await readSettings(io, undefined), onNote)),
    onNote,
  });
  return served && { ...served, onListening: () => hintAtKeys(given, dataDir) };
};

/** Without a page, there is nothing to see without a key. */
function hintAtKeys({ io, origin, isLocal }: ServeGiven, dataDir: string): void {
  const hasPage = origin !== undefined || isLocal;
  if (hasPage || !io.isTerminal || readKeys(dataDir).length > 0) return;
  io.stderr("hookbell: there are no keys yet; add one with: hookbell keys add NAME --role owner\n");
}

/** This machine's rules decide whether the events are sent. */
async function sendInstallEvents(computer: Computer, io: CommandIo): Promise<void> {
  try {
    const { platform } = (await viewDispatcher(io)).rules().rules;
    // A stopping server still reports the sessions that it ended.
    const untilStopped = (): AbortSignal => new AbortController().signal;
    if (platform?.installs === true) {
      await queueEvents({ ...io, untilStopped }, sessionEvents(computer, io.clock.now()));
    }
  } catch (error) {
    io.stderr(
      `hookbell: cannot send an event about the install session on ${printableLine(computer.name)}: ${messageOf(error)}\n`,
    );
  }
}
