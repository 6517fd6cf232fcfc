// What `hookbell import` prints: what it carries over, what not, and which hooks go or stay; as text and as JSON.
import type { InstallProblem } from "../../install/problem.ts";
import type { OwnerOfHook } from "../../install/settings/find-hooks.ts";
import { scrub } from "../../model/privacy/scrub.ts";
import { printable, printableLine } from "../../model/text.ts";
import { maskSecrets } from "../../rules/mask-secrets.ts";
import type { OpenedRules } from "../../commands/channels/rules-file.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { showDiff } from "../../console/output/show-diff.ts";
import { paint } from "../../console/output/text.ts";
import { findAgentsWithHooks } from "../../commands/pipeline/rule-coverage.ts";
import { reportAsJson, showDiffs, showProblems, type AgentReport } from "../../commands/init/report.ts";
import type { NotCarriedOver } from "./settings-reader.ts";
import type { Edited } from "./add-to-rules.ts";
import type { CodexNotify } from "./codex-notify.ts";
import type { KeptHook } from "./hooks.ts";
import type { ImportedSettings, Peer } from "./peer.ts";

/** A tool with its settings. */
export interface FoundTool {
  peer: Peer;
  settings: ImportedSettings;
  files: string[];
  notCarriedOver: NotCarriedOver[];
}

/** The rules as they will be, with what is said about them. */
export interface Planned extends Omit<Edited, "names"> {
  opened: OpenedRules;
}

/** What becomes of the hooks. */
export interface HookPlan {
  reports: readonly (AgentReport & { ownerOf: OwnerOfHook })[];
  /** Codex's line, unless it stays. */
  notify: CodexNotify | undefined;
  kept: readonly (KeptHook & { tool: string })[];
  /** Settings files that cannot be read, so that the tool's hooks may be in them. */
  unread: readonly InstallProblem[];
}

export function namesOf(found: readonly FoundTool[]): string {
  return found.map(({ peer }) => peer.name).join(", ");
}

export function showRules(io: CommandIo, found: readonly FoundTool[], { opened, text, secrets, notes }: Planned): void {
  for (const { peer, files, notCarriedOver } of found) {
    const read = files.length === 0 ? "its usual settings" : files.join(", ");
    io.stdout(`${paint(io, "bold", peer.name)}: ${read}\n`);
    for (const each of notCarriedOver) io.stdout(`  ${paint(io, "yellow", "not carried over:")} ${describe(each)}\n`);
  }
  if (text === opened.before) io.stdout(`${opened.file.path} does the same already\n`);
  else showDiff(io, opened.file.path, opened.before && maskSecrets(opened.before), maskSecrets(text), true);
  for (const note of notes) io.stdout(`${note}\n`);
  for (const { path } of secrets) io.stdout(`a secret, stored in ${path}, which only you can read\n`);
}

/** A name in a file of another program is untrusted, and may be a secret where the file is a link to one. */
function describe({ places = [], reason }: NotCarriedOver): string {
  const named = places.map((place) => `\`${printableLine(scrub(place).text)}\``).join(", ");
  return named === "" ? reason : `${named}: ${reason}`;
}

export function showWrittenRules(io: CommandIo, { opened, secrets }: Planned, backup: string | undefined): void {
  for (const { path } of secrets) io.stdout(`${paint(io, "green", "wrote")} ${path}\n`);
  const old = backup === undefined ? "" : `\n  backup: ${backup}`;
  io.stdout(`${paint(io, "green", "wrote")} ${opened.file.path}${old}\n`);
}

export function showRemovals(io: CommandIo, { reports, notify, kept, unread }: HookPlan, isDryRun: boolean): void {
  showProblems(io, unread);
  for (const { prepared } of reports) showProblems(io, prepared.plan.problems);
  showDiffs(io, reports, isDryRun);
  if (notify !== undefined) showDiff(io, notify.file.path, notify.before, notify.after, isDryRun);
  const reasons = new Set(kept.map(({ tool, path, why }) => JSON.stringify([tool, path, why])));
  for (const reason of reasons) {
    const same = kept.filter(({ tool, path, why }) => JSON.stringify([tool, path, why]) === reason);
    const [{ tool, path, why } = { tool: "", path: "", why: "" }] = same;
    const hooks = [...new Set(same.map(({ shown }) => shown))].join(", ");
    io.stdout(`${paint(io, "yellow", `stays in ${path}:`)} ${printable(`${tool}'s ${hooks}, since ${why}`)}\n`);
  }
  const twice = [...new Set(kept.flatMap((each) => each.twice))];
  if (twice.length > 0)
    io.stdout(`until you remove what stays, you will be notified twice of ${printable(twice.join(", "))}\n`);
}

export function showNext(
  io: CommandIo,
  found: readonly FoundTool[],
  { isDryRun, areHooksLeft }: { isDryRun: boolean; areHooksLeft: boolean },
): void {
  if (isDryRun) io.stdout("dry run: nothing was written\n");
  else if (areHooksLeft) io.stdout(`the hooks of ${namesOf(found)} stay: you will be notified twice\n`);
  const hasHooks = findAgentsWithHooks(io).length > 0;
  io.stdout(hasHooks ? "try it: hookbell test\n" : "next: hookbell init adds hookbell's hooks to your agents\n");
}

export function asJson(
  found: readonly FoundTool[],
  { opened, text, notes, secrets }: Planned,
  written: { backup: string | undefined } | undefined,
  { reports, kept, unread }: Pick<HookPlan, "kept" | "unread"> & { reports: readonly AgentReport[] },
  stillCalled: CodexNotify | undefined,
): object {
  return {
    tools: found.map(({ peer, files, notCarriedOver }) => {
      return { id: peer.id, files, notCarriedOver: notCarriedOver.map(describe) };
    }),
    rules: {
      path: opened.file.path,
      outcome: written !== undefined ? "written" : text === opened.before ? "unchanged" : "planned",
      text: maskSecrets(text),
      secretFiles: secrets.map(({ path }) => path),
      notes,
      backup: written?.backup,
    },
    ...(reportAsJson(reports, undefined, () => undefined) as object),
    keptHooks: kept.map(({ tool, path, shown, why, twice }) => ({ tool, path, hook: shown, why, twice })),
    unread: unread.map(({ path, line, column, message, hint }) => ({ path, line, column, message, hint })),
    stillCalled: stillCalled === undefined ? [] : [{ path: stillCalled.file.path, tool: stillCalled.tool }],
  };
}
