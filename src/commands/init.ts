import { listTargets, type AgentTarget } from "../install/agent-target.ts";
import { findInstallation } from "../install/find-installation.ts";
import type { Installation } from "../install/hook-command.ts";
import { isScriptCurrent, putHookScript } from "../install/hook-script.ts";
import { withReleases } from "../install/installed-release.ts";
import { findOwnNoises } from "../install/own-noises.ts";
import { recordStore } from "../install/record-store.ts";
import { writeStarterRules } from "../install/starter-rules.ts";
import { applyInstall, prepareInstall, type WiringContext } from "../install/wire-agent.ts";
import { describeWriteError, exitCodes, PersonError, type ExitCode } from "../model/errors.ts";
import { statIfThere } from "../system/files.ts";
import { parseArguments } from "./arguments.ts";
import { askAtTerminal, type Ask } from "./ask.ts";
import { applyingRules, awaitedEvents, type IsAwaited } from "./awaited-events.ts";
import { namedAgents, splitNames } from "./choose-agents.ts";
import { paint } from "./colors.ts";
import type { CommandIo } from "./command-io.ts";
import { count } from "./count.ts";
import { genericHelp } from "./generic-help.ts";
import {
  exitCodeOf,
  problemsOf,
  reportAsJson,
  showDiffs,
  showProblems,
  showWarnings,
  type AgentReport,
} from "./settings-report.ts";
import { eventLines, importLines } from "./event-lines.ts";
import { sayIfNothingShows } from "./nothing-shows.ts";
import { findUnheardQuestions } from "./unheard-questions.ts";
import { verify, verifyOptions } from "./verify.ts";

/** What init needs and tests bring along: where hookbell lies, and somebody to ask. */
export interface InitParts {
  installation?: Installation;
  ask?: Ask;
}

type InitIo = Pick<
  CommandIo,
  "stdout" | "stderr" | "env" | "isTerminal" | "isColor" | "clock" | "random" | "places" | "platform"
>;

const flags = {
  agent: { type: "string", multiple: true },
  yes: { type: "boolean", short: "y" },
  "dry-run": { type: "boolean" },
  rules: { type: "boolean" },
  "all-events": { type: "boolean" },
  verify: { type: "string", multiple: true },
  deliver: { type: "boolean" },
  json: { type: "boolean" },
} as const;

/** `hookbell init`: writes our hooks into the settings of the agents on this machine. */
export async function init(args: string[], io: InitIo, parts: InitParts = {}): Promise<ExitCode> {
  const { values, positionals } = parseArguments(args, flags);
  if (positionals.length > 0) throw unexpectedWord(positionals[0] ?? "");
  const isJson = values.json === true;
  const verification = verifyOptions(values);
  if (verification !== undefined) return await verify(verification, io, parts.installation);
  const mayAsk = io.isTerminal && values.yes !== true && values["dry-run"] !== true && !isJson;
  const ask = parts.ask ?? askAtTerminal;
  const { home, stateDir } = io.places;
  const isAwaited = awaitedEvents(io);
  const names = values.agent === undefined ? undefined : splitNames(values.agent);
  if (names?.includes("generic") === true) {
    io.stderr(genericHelp);
    if (names.every((name) => name === "generic")) return exitCodes.done;
  }

  const chosen = await chooseTargets(
    io,
    names?.filter((name) => name !== "generic"),
    mayAsk ? ask : undefined,
  );
  if (chosen === undefined) return cancelled(io);
  const targets = await withReleases(chosen, io.env);
  let context: WiringContext = {
    installation: parts.installation ?? findInstallation(io.env, home, io.platform),
    platform: io.platform,
    nowMs: io.clock.now(),
    store: recordStore(stateDir),
    isWanted: values["all-events"] === true ? undefined : (id, means) => means.some((name) => isAwaited(id, name)),
  };
  const rules = applyingRules(io);
  const prepareAll = (): AgentReport[] =>
    targets.map((target) => ({
      prepared: prepareInstall(context, target),
      unheard: findUnheardQuestions(rules, [target]).map(({ text, mend }) => `${text}: ${mend}`),
    }));
  let reports = prepareAll();
  const changes = reports.flatMap(({ prepared }) => (prepared.plan.changes.length > 0 ? [prepared.target.id] : []));
  const isScriptDue =
    !isScriptCurrent(context.installation) && reports.some(({ prepared }) => prepared.plan.problems.length === 0);
  if (!isJson) {
    showPlans(io, reports, values["dry-run"] === true);
    if (isScriptDue) io.stdout(`the program that the hooks call: ${context.installation.scriptPath}\n`);
  }

  let hasNewScript = false;
  if ((changes.length > 0 || isScriptDue) && values["dry-run"] !== true) {
    if (mayAsk) {
      if ((await ask.confirm(`Write ${changes.length > 1 ? "these changes" : "this change"}?`, true)) !== true)
        return cancelled(io);
    } else if (values.yes !== true) {
      if (isJson) io.stdout(`${JSON.stringify(reportAsJson(reports, isAwaited))}\n`);
      io.stderr("hookbell: nothing was written; add --yes to write this\n");
      return exitCodes.usage;
    }
    // First, so that no agent ever calls what is not there.
    if (isScriptDue) {
      const installation = putScript(context.installation);
      hasNewScript = installation.scriptPath !== undefined;
      if (!hasNewScript) {
        io.stderr(`hookbell: ${io.places.stateDir} lets no program run, so the hooks call Node, which takes longer\n`);
        context = { ...context, installation };
        reports = prepareAll();
      }
    }
    // One that is refused does not keep the others from being wired.
    reports = reports.map((report) =>
      report.prepared.plan.changes.length > 0 ? { ...report, applied: applyInstall(context, report.prepared) } : report,
    );
  }
  const hasNewRules = await offerRules(
    io,
    values.rules === true && values["dry-run"] !== true,
    mayAsk ? ask : undefined,
  );
  if (isJson) io.stdout(`${JSON.stringify(reportAsJson(reports, isAwaited))}\n`);
  else {
    if (hasNewScript) io.stdout(`${paint(io, "green", "wrote")} ${context.installation.scriptPath}\n`);
    showOutcome(io, reports, values["dry-run"] === true, hasNewRules, isAwaited);
    const isDone = reports.some(({ applied }) => applied?.problems.length === 0);
    if (isDone || values["dry-run"] === true) await sayIfNothingShows(io);
  }
  return exitCodeOf(reports);
}

function putScript(installation: Installation): Installation {
  try {
    return putHookScript(installation);
  } catch (error) {
    const where = installation.scriptPath ?? "";
    throw new PersonError("install.script", `cannot write ${where}: ${describeWriteError(error)}`, {
      hint: "nothing was written; give yourself the permission, or set HOOKBELL_STATE_DIR",
      exitCode: exitCodes.cannotWrite,
    });
  }
}

async function chooseTargets(
  io: InitIo,
  named: string[] | undefined,
  ask: Ask | undefined,
): Promise<AgentTarget[] | undefined> {
  const all = listTargets(io.env, io.places.home, io.platform);
  if (named !== undefined) return namedAgents(named, all);
  const found = all.filter(({ sign }) => sign !== undefined);
  if (found.length === 0) {
    throw new PersonError("install.noAgent", "no coding agent was found on this machine", {
      hint: `hookbell can wire ${all.map(({ id }) => id).join(", ")}; name one with --agent to wire it all the same, or see --agent generic`,
      exitCode: exitCodes.failed,
    });
  }
  if (ask === undefined) return found;
  const options = found.map(({ id, name, sign }) => ({ value: id, label: name, hint: sign ?? "" }));
  const chosen = await ask.choose("Which agents shall tell hookbell what happens?", options);
  return chosen === undefined ? undefined : found.filter(({ id }) => chosen.includes(id));
}

function showPlans(io: InitIo, reports: readonly AgentReport[], isDryRun: boolean): void {
  for (const report of reports) {
    const { plan, target } = report.prepared;
    const { changes, problems, warnings } = plan;
    showProblems(io, problems);
    // Who has nothing to decide has read them before.
    const isNews = isDryRun || changes.length > 0 || problems.length > 0;
    if (isNews) showWarnings(io, warnings);
    const more =
      isNews || warnings.length === 0
        ? ""
        : ` (${count(warnings.length, "note")}: --dry-run shows ${warnings.length === 1 ? "it" : "them"})`;
    if (problems.length > 0) io.stderr(`${target.name}: left as it is\n`);
    else if (changes.length === 0) io.stdout(`${target.name}: nothing to change${more}\n`);
    showWarnings(io, report.unheard ?? []);
  }
  showDiffs(
    io,
    reports.map(({ prepared }) => prepared),
    isDryRun,
  );
}

async function offerRules(io: InitIo, isWanted: boolean, ask: Ask | undefined): Promise<boolean> {
  const { configDir, rulesFile } = io.places;
  if (statIfThere(rulesFile) !== undefined) return false;
  const isYes =
    isWanted ||
    (await ask?.confirm(
      `Write a rules file to start from (${rulesFile})? Without it the built-in rules apply.`,
      false,
    )) === true;
  return isYes && writeStarterRules(configDir, rulesFile);
}

function showOutcome(
  io: InitIo,
  reports: readonly AgentReport[],
  isDryRun: boolean,
  hasNewRules: boolean,
  isAwaited: IsAwaited,
): void {
  const written = reports.filter(({ applied }) => applied !== undefined && applied.problems.length === 0);
  for (const { applied, prepared } of reports) {
    showProblems(io, applied?.problems ?? []);
    for (const { path, backup } of applied?.files ?? []) {
      io.stdout(
        `${paint(io, "green", "wrote")} ${path}${backup === undefined ? "" : `\n  the old one is ${backup}`}\n`,
      );
    }
    const isPlanned = isDryRun && prepared.plan.changes.length > 0;
    if (isPlanned) io.stdout(`${prepared.target.name}:\n`);
    if (isPlanned || applied?.problems.length === 0) {
      const { target } = prepared;
      const lines = [target.wiring.afterwards, ...findOwnNoises(target), ...importLines(target, reports)];
      io.stdout([...eventLines(prepared, isAwaited), ...lines].map((line) => `  ${line}\n`).join(""));
    }
  }
  if (isDryRun) io.stdout("dry run: nothing was written\n");
  else if (reports.some((report) => problemsOf(report).length > 0) && written.length > 0)
    io.stderr("hookbell: not every agent could be wired, see above\n");
  if (hasNewRules) io.stdout(`${paint(io, "green", "wrote")} ${io.places.rulesFile}\n`);
  const names = written.map(({ prepared }) => prepared.target.id).join(",");
  if (names !== "") io.stdout(`try it: hookbell test; hookbell init --verify ${names}\n`);
}

function cancelled(io: InitIo): ExitCode {
  io.stderr("hookbell: nothing was written\n");
  return exitCodes.failed;
}

function unexpectedWord(word: string): PersonError {
  return new PersonError("usage.word", `init takes no "${word}"`, {
    hint: "agents are named with --agent",
    exitCode: exitCodes.usage,
  });
}
