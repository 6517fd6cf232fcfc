// `hookbell hooks --remove`: takes launches out of their files, each byte beside them kept, with a backup.
import { basename } from "node:path";
import { agentName } from "../../../agents/index.ts";
import { maxSettingsBytes } from "../../../install/target/read-settings.ts";
import { describeWriteError, type ExitCode, exitCodes, UserError } from "../../../model/errors.ts";
import { layoutOf } from "../../../outbox/layout.ts";
import { removeSettingsFile } from "../../../system/files/replace-settings-file.ts";
import { backUp, replaceWithBackup } from "../../../system/files/settings-backup.ts";
import { openSettingsFile } from "../../../system/files/settings-file.ts";
import { askWithNoUsual } from "../../../console/ask.ts";
import { endWithoutConsent } from "../../../console/confirm.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { reportColumns, wrapLines } from "../../../console/output/text.ts";
import { showDiff } from "../../../console/output/show-diff.ts";
import { printableLine } from "../../../model/text.ts";
import { isLink } from "../../../system/files/inspect-path.ts";
import { updateBaseline, withRemoved } from "../baseline.ts";
import type { Launch, LaunchInFile } from "../launches/launch.ts";
import { readLaunches } from "../launches/read.ts";
import { withoutLaunch } from "../launches/remove.ts";
import { shownFile } from "../shown.ts";
import { endEscalation } from "./seen.ts";
import type { KnownLaunch } from "./look.ts";

interface Removal {
  path: string;
  launches: readonly Launch[];
  file: Exclude<ReturnType<typeof openSettingsFile>, { unusable: unknown }>;
  before: string;
  /** Undefined: the whole file goes. */
  after: string | undefined;
}

export async function removeLaunches(
  io: CommandIo,
  chosen: readonly KnownLaunch[],
  flags: { yes?: boolean | undefined },
): Promise<ExitCode> {
  const own = chosen.find(({ owner }) => owner === "hookbell");
  if (own !== undefined) {
    throw new UserError("hooks.own", `${own.launch.id} is a hook of hookbell itself`, {
      hint: "hookbell uninstall removes them all",
    });
  }
  const byPath = new Map<string, KnownLaunch[]>();
  for (const known of chosen) byPath.set(known.launch.path, [...(byPath.get(known.launch.path) ?? []), known]);
  const launchesOf = (together: readonly KnownLaunch[]): Launch[] => together.map(({ launch }) => launch);
  for (const [path, together] of byPath) {
    const { before, after, file, launches } = plan(path, launchesOf(together));
    if (after === undefined) io.stdout(`${printableLine(file.path)} will be moved into a backup\n`);
    else {
      const said = launches.flatMap(({ content }) => readLaunches(before, basename(path), content).launches);
      const [was, will] = [before, after].map((text) => shownFile(text, said));
      showDiff(io, printableLine(file.path), was, will, false);
    }
  }
  const plugIns = new Set(chosen.flatMap(({ launch }) => (launch.scope === "plug-in" ? [launch.agent] : [])));
  for (const agent of plugIns) {
    const name = agentName(agent);
    const text = `this edits ${name}'s copy of a plug-in, and an update of the plug-in may bring it back: to be rid of it, disable the plug-in in ${name} instead\n`;
    io.stdout(wrapLines(text, reportColumns(io)));
  }
  for (const { entry } of chosen) {
    if (entry?.before === undefined) continue;
    const text = `you had accepted another one in its place, which this does not put back: ${printableLine(entry.before)}\n`;
    io.stdout(wrapLines(text, reportColumns(io)));
  }
  const end = await endWithoutConsent(io, flags, "Remove this?", askWithNoUsual);
  if (end !== undefined) return end;
  for (const [path, together] of byPath) {
    // The file is read again: an agent may have rewritten it.
    const backup = removeNow(io, plan(path, launchesOf(together)));
    const ids = [...new Set(together.map(({ launch }) => launch.id))];
    io.stdout(`removed ${ids.join(", ")} from ${printableLine(path)}; the file as it was: ${printableLine(backup)}\n`);
    for (const known of together) endEscalation(io, known, "removed");
    updateBaseline(layoutOf(io.places.stateDir), (current) =>
      ids.reduce((rest, id) => withRemoved(rest, id, io.clock.now()), current),
    );
  }
  return exitCodes.done;
}

/** Throws if one of them cannot be taken out of the file. */
function plan(path: string, launches: readonly Launch[]): Removal {
  const file = openSettingsFile(path, maxSettingsBytes);
  if ("unusable" in file || file.bytes === undefined || file.notWritable !== undefined) {
    const why = "unusable" in file ? file.unusable : (file.notWritable?.unusable ?? "it is gone");
    throw new UserError("hooks.unwritable", `cannot edit ${path} (${why})`, {
      hint: "nothing was removed from it; remove the entry by hand",
      exitCode: exitCodes.cannotWrite,
    });
  }
  const before = file.bytes.toString("utf8");
  if (launches.some(({ kind, at }) => kind === "code" && at.length === 0)) {
    // What it leads to may be anything of the user's.
    if (isLink(path)) {
      throw new UserError("hooks.link", `${path} is a link to ${file.realPath}`, {
        hint: "remove the link by hand; what it leads to may be needed elsewhere",
        exitCode: exitCodes.cannotWrite,
      });
    }
    return { path, launches, file, before, after: undefined };
  }
  let after = before;
  for (const launch of launches) {
    // Several agents may read the same entry, which is gone with the first of them.
    if (find(after, launch) === undefined && find(before, launch) !== undefined) continue;
    const next = Buffer.from(before, "utf8").equals(file.bytes) ? afterRemoval(after, launch) : undefined;
    if (next === undefined) {
      throw new UserError("hooks.notEditable", `cannot remove ${launch.id} from ${path} without touching the rest`, {
        hint: `remove it by hand: line ${launch.line}`,
        exitCode: exitCodes.cannotWrite,
      });
    }
    after = next;
  }
  return { path, launches, file, before, after };
}

/** Where it stands now, which is not where it stood when an earlier one has gone. */
function find(text: string, launch: Launch): LaunchInFile | undefined {
  const isSame = (each: LaunchInFile): boolean =>
    each.kind === launch.kind &&
    each.name === launch.name &&
    each.matcher === launch.matcher &&
    each.command === launch.command &&
    each.around === launch.around;
  return readLaunches(text, basename(launch.path), launch.content).launches.find(isSame);
}

function afterRemoval(text: string, launch: Launch): string | undefined {
  const found = find(text, launch);
  return found && withoutLaunch(text, { name: basename(launch.path), content: launch.content }, found);
}

function removeNow(io: CommandIo, { file, after, launches }: Removal): string {
  const { stateDir } = io.places;
  const nowMs = io.clock.now();
  try {
    if (after !== undefined) {
      const written = replaceWithBackup(file, after, { nowMs, stateDir });
      if (written?.backup !== undefined) return written.backup;
    } else if (file.bytes !== undefined) {
      const backup = backUp(file.path, file.bytes, nowMs, stateDir);
      if (removeSettingsFile(file)) return backup;
    }
  } catch (error) {
    throw new UserError("hooks.unwritable", `cannot write ${file.path}: ${describeWriteError(error)}`, {
      hint: "it was not changed",
      exitCode: exitCodes.cannotWrite,
    });
  }
  throw new UserError("hooks.changed", `${file.path} has changed meanwhile`, {
    hint: `nothing was removed; run it again: hookbell hooks --remove ${launches.map(({ id }) => id).join(" ")}`,
    exitCode: exitCodes.cannotWrite,
  });
}
