// `hookbell remote add FILE --by file`: a script for a sandbox or a CI job appends events to a file, which the dispatcher reads.
import { basename, dirname, join } from "node:path";
import { commandSettings } from "../../../install/command/hook-command.ts";
import { isEventWanted } from "../../../install/install-agent.ts";
import { agentsToSetUp } from "../../../install/target/agent-target.ts";
import { describeWriteError, docsUrl, exitCodes, type ExitCode, UserError } from "../../../model/errors.ts";
import { makeFolderCommand } from "../../../model/places/user-shell.ts";
import { ensureLayout, layoutOf } from "../../../outbox/layout.ts";
import { type SpoolRemote, writeRemote } from "../remotes.ts";
import { removeIfThere, statIfThere } from "../../../system/files/files.ts";
import { readIfThere, readStartWithoutLinks } from "../../../system/files/read.ts";
import { writeWhole } from "../../../system/files/write.ts";
import { ownPackageFolder } from "../../../system/package.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { paint } from "../../../console/output/text.ts";
import { nudgeDispatcher } from "../../../commands/pipeline/open-dispatcher.ts";
import { wishesOf } from "../../../commands/pipeline/rule-coverage.ts";
import { namedAgents, splitNames } from "../../../commands/init/choose-agents.ts";

const scriptName = "hookbell-spool.sh";
/** Other users run it in the sandbox. */
const scriptMode = 0o755;
/** The script writes to this file unless it is told otherwise. */
export const usualSpool = "spool";
const folderThere = "/PATH/THERE";

/** The script as this package has it. */
const ownScript = (): string => join(ownPackageFolder(), "hooks", scriptName);
const scriptBeside = ({ target }: SpoolRemote): string => join(dirname(target), scriptName);

/** If run again, it updates the script, and shows the settings. */
export async function addSpool(
  remote: SpoolRemote,
  isNew: boolean,
  wanted: { agent?: string[] | undefined; "dry-run"?: boolean | undefined },
  io: CommandIo,
): Promise<ExitCode> {
  const { name, target } = remote;
  const names = splitNames(wanted.agent ?? []);
  const chosen = wanted.agent === undefined ? [] : namedAgents(names, agentsToSetUp, "remote add --agent");
  const folder = dirname(target);
  if (statIfThere(folder)?.isFolder !== true) {
    throw new UserError("remote.noFolder", `there is no folder ${folder}`, {
      hint: `make it, and mount it in the sandbox: ${makeFolderCommand(folder, io.platform)}`,
    });
  }
  if (wanted["dry-run"] === true) {
    io.stdout(`dry run: the events of ${name} would be read from ${target}; nothing was written\n`);
    return exitCodes.done;
  }
  const layout = layoutOf(io.places.stateDir);
  ensureLayout(layout);
  writeRemote(layout, remote);
  io.stdout(`${paint(io, "green", isNew ? "added" : "kept")} the remote ${name}: its events are read from ${target}\n`);
  const script = scriptBeside(remote);
  try {
    writeWhole(script, readIfThere(ownScript()) ?? "", scriptMode);
    io.stdout(`${paint(io, "green", "wrote")} ${script}, which agents there run as a command hook\n`);
  } catch (error) {
    io.stdout(
      `the script cannot be put beside it: ${describeWriteError(error)}. Bring it there yourself: ${ownScript()}\n`,
    );
  }
  if (basename(target) !== usualSpool) {
    io.stdout(
      `\nIn the environment of the agents there, set:\n\n  HOOKBELL_SPOOL=${folderThere}/${basename(target)}\n`,
    );
  }
  const wishes = await wishesOf(io);
  const scriptThere = `${folderThere}/${scriptName}`;
  for (const { id, hookSetup } of chosen) {
    const file = hookSetup.files.find((each) => each.name === hookSetup.defaultFile);
    if (file === undefined || file.shape === "tables") {
      io.stdout(`\nFor ${id}, make a hook of each event that runs: ${scriptThere} --agent ${id} --event EVENT\n`);
      continue;
    }
    const events = Object.keys(hookSetup.events).filter((event) => isEventWanted(wishes, { id, hookSetup }, event));
    const settings = JSON.stringify(commandSettings({ id, hookSetup }, events, scriptThere), undefined, 2);
    io.stdout(`\nAdd this to ${hookSetup.folders[0].path}/${file.name} there:\n\n${settings}\n`);
  }
  if (chosen.length === 0) {
    io.stdout(`\nFor an agent's settings: hookbell remote add ${name} --agent ID\n`);
    io.stdout(`Any command hook there can run: ${scriptThere} --agent ID\n`);
  }
  io.stdout(
    `\n${folderThere} is the folder as the sandbox sees it. A CI job needs a copy of ${ownScript()}, and uploads the\n`,
  );
  io.stdout(
    `file as an artifact; put each download in the place of ${target}. See ${docsUrl("reference/REMOTE.md")}\n`,
  );
  nudgeDispatcher(io, layout);
  return exitCodes.done;
}

/** How the script begins in each version. */
const beginning = "#!/bin/sh\n# The hook for a sandbox or a CI job";

/** Removes the script, also that of an older version. The file of events is the person's. Returns what was removed. */
export function removeSpoolScript(remote: SpoolRemote): string | undefined {
  const script = scriptBeside(remote);
  try {
    // The folder belongs to the sandbox as well: anything may be in the script's place.
    if (readStartWithoutLinks(script, beginning.length)?.toString("utf8") !== beginning) return undefined;
    return removeIfThere(script) ? script : undefined;
  } catch {
    return undefined;
  }
}
