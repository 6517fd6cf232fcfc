// `hookbell init`: adds hooks to the agents' settings.
import { join } from "node:path";
import type { Installation } from "../../install/command/hook-command.ts";
import { hookScriptFiles, hookScriptName, isScriptCurrent, putHookScript } from "../../install/hook-script.ts";
import { prepareInstall, type InstallContext, applyInstall } from "../../install/install-agent.ts";
import { withInstallLock } from "../../install/install-lock.ts";
import { findInstallation, isInRunnerCache } from "../../install/installation.ts";
import { describeWriteError, type ExitCode, exitCodes, usageError, UserError } from "../../model/errors.ts";
import { statIfThere } from "../../system/files/files.ts";
import { findDistrust } from "../../system/files/inspect-path.ts";
import { ownPackageFolder } from "../../system/package.ts";
import { parseArguments } from "../../console/arguments.ts";
import { setUpCommands } from "../help/set-up.ts";
import { type Ask, askAtTerminal } from "../../console/ask.ts";
import type { Wing } from "../../console/command.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { jsonLine, paint } from "../../console/output/text.ts";
import { describeLeftOut, fitToMachine, openRulesFile, writeRulesFile } from "../channels/rules-file.ts";
import { addChannelCommand } from "../channels/add/add.ts";
import { test } from "../send/test.ts";
import { findUncoveredQuestions, wishesOf } from "../pipeline/rule-coverage.ts";
import { warnIfBroken } from "../pipeline/load-rules.ts";
import { chooseAmong, findTargets, namedAgents, refuseWords, splitNames } from "./choose-agents.ts";
import { endUnwritten, endWithoutConsent, refuseForeignHome } from "../../console/confirm.ts";
import { type AgentReport, exitCodeOf, isWritten, reportAsJson, showDiffs, showPlans } from "./report.ts";
import { showDuties, showInstalled, showReach } from "./show-installed.ts";
import { askToWrite } from "./ask-to-write.ts";
import { leaveCache } from "./leave-cache.ts";
import { listTargets } from "../../install/target/agent-target.ts";
import { verifyAgents, type VerifyIo } from "./verify-agents.ts";
import { isSound, showVerified, verifiedAsJson } from "./verify-report.ts";
import { recordStore, withInstallation } from "../../install/record/record.ts";

/** The parts that tests replace. */
export interface InitParts {
  installation?: Installation;
  ask?: Ask;
  addChannel?: () => Promise<unknown>;
  sendTest?: (channels: string[]) => Promise<unknown>;
  wings?: readonly Wing[];
}

export async function init(args: string[], io: CommandIo, parts: InitParts = {}): Promise<number> {
  const { values, positionals } = parseArguments(args, setUpCommands.init.flags);
  refuseWords("init", positionals);
  refuseForeignHome(io);
  if (values.verify !== undefined || values.deliver === true) return await verify(values, io, parts.installation);
  const { yes: isYes = false, "dry-run": isDryRun = false, json: isJson = false } = values;
  const mayAsk = io.isTerminal && !isYes && !isDryRun && !isJson;
  const ask = mayAsk ? (parts.ask ?? askAtTerminal) : undefined;
  const folder = ownPackageFolder();
  const mayInstall = ask !== undefined || (isYes && !isDryRun && !isJson);
  const names = values.agent === undefined ? undefined : splitNames(values.agent);
  if (names?.includes("generic") === true) {
    (isJson ? io.stderr : io.stdout)(genericHelp);
    if (names.every((name) => name === "generic")) {
      if (isJson) io.stdout(jsonLine(reportAsJson([])));
      return exitCodes.done;
    }
  }
  const named = names?.filter((name) => name !== "generic");
  // Before anything is installed for them.
  const found = findTargets(io, named);
  if (parts.installation === undefined && mayInstall && isInRunnerCache(folder)) {
    return await leaveCache(io, ask, folder, args);
  }
  const targets = named === undefined && ask !== undefined ? await chooseAmong(found, ask) : found;
  if (targets === undefined) return endUnwritten(io);

  const { current, rules, isAwaited, ...wishes } = await wishesOf(io);
  warnIfBroken(current, io);
  const planAgain = (context: InstallContext): AgentReport[] =>
    targets.map((target) => ({
      prepared: prepareInstall(context, target),
      uncovered: findUncoveredQuestions(rules, [target]).map(
        ({ text, fix }) => `${text}: ${fix}, then run: hookbell init --agent ${target.id}`,
      ),
    }));
  const context: InstallContext = {
    installation: parts.installation ?? findInstallation(io.env, io.places.home, io.platform),
    platform: io.platform,
    nowMs: io.clock.now(),
    store: recordStore(io.places.stateDir),
    ...wishes,
    featuresOf: (id) => [...wishes.featuresOf(id), ...(values.usage === true ? (["usage"] as const) : [])],
    isAllEvents: values["all-events"] === true,
  };
  const isFirst = context.store.read().files.length === 0;
  let reports = planAgain(context);
  const changing = reports.filter(({ prepared }) => prepared.plan.changes.length > 0);
  const isScriptDue =
    !isScriptCurrent(context.installation) && reports.some(({ prepared }) => prepared.plan.problems.length === 0);
  const showChanges = (): void => showDiffs(io, reports, true);
  if (!isJson) {
    showPlans(io, reports, isDryRun);
    if (isDryRun || (!isYes && ask === undefined)) showChanges();
    const { scriptPath } = context.installation;
    if (isScriptDue && !isYes && scriptPath !== undefined) {
      io.stdout(`the hooks call ${hookScriptFiles(scriptPath).join(" or ")}\n`);
    }
  }

  let newScript: string | undefined;
  if ((changing.length > 0 || isScriptDue) && !isDryRun) {
    const question = `Write ${changing.length > 1 ? "these changes" : "this change"}?`;
    const confirm = ask && { confirm: () => askToWrite(ask, question, showChanges) };
    const end = await endWithoutConsent(io, values, question, confirm);
    if (end !== undefined) {
      if (isJson) io.stdout(jsonLine(reportAsJson(reports, isAwaited)));
      return end;
    }
    const plans = { context, reports, isScriptDue, planAgain };
    ({ reports, newScript } = await withInstallLock(io.places.stateDir, io.clock, () => writeHooks(io, plans)));
  }
  const newRules = values.rules === true && !isDryRun ? await newRulesFile(io, isJson) : undefined;
  warnOfDistrust(io);
  const ofWings = isDryRun || exitCodeOf(reports) !== exitCodes.done ? [] : await followUp(io, isFirst, parts.wings);
  if (isJson) io.stdout(jsonLine(reportAsJson(reports, isAwaited)));
  else {
    if (newScript !== undefined) io.stdout(`${paint(io, "green", "wrote")} ${newScript}\n`);
    showInstalled(io, reports, { isDryRun, isVerbose: values.verbose === true, isAwaited, newRules });
    const hasNewRules = newRules !== undefined;
    const isNews = reports.some(isWritten) || isDryRun || values.rules === true;
    const { addChannel = () => addChannelCommand([], io), sendTest = (channels: string[]) => test(channels, io) } =
      parts;
    const next = isNews ? await showReach(io, reports, { ask, addChannel, sendTest, hasNewRules }) : [];
    for (const line of ofWings)
      io.stdout(`${line}
`);
    showDuties(io, reports, current);
    if (next.length > 0) io.stdout(`Next steps:\n${next.map((line) => `- ${line}\n`).join("")}`);
  }
  return exitCodeOf(reports);
}

async function followUp(io: CommandIo, isFirst: boolean, wings: readonly Wing[] = []): Promise<string[]> {
  const lines: string[] = [];
  for (const { afterInit } of wings)
    if (afterInit !== undefined) lines.push(...(await afterInit.load())(io, { isFirst }));
  return lines;
}

/** Files through which another user could run programs as this one. */
function warnOfDistrust({ places: { rulesFile, stateDir }, platform, stderr }: CommandIo): void {
  for (const path of [rulesFile, join(stateDir, hookScriptName(platform))]) {
    const distrust = findDistrust(path);
    if (distrust !== undefined) stderr(`hookbell: ${distrust.path} ${distrust.why}; to fix it: ${distrust.fix}\n`);
  }
}

/** Undefined if there was a rules file, or if none of the built-in rules' channels can work here. */
async function newRulesFile(io: CommandIo, isJson: boolean): Promise<string | undefined> {
  const path = io.places.rulesFile;
  if (statIfThere(path) !== undefined) return undefined;
  const say = isJson ? io.stderr : io.stdout;
  const opened = await openRulesFile(path);
  const { text, leftOut } = await fitToMachine(io, opened);
  if (leftOut.length === Object.keys(opened.rules.channels).length) {
    say(
      "no rules file was written: this machine has no screen or speakers. To write one: hookbell channels add TYPE\n",
    );
    return undefined;
  }
  if (leftOut.length > 0) say(`${describeLeftOut(leftOut)}\n`);
  return writeRulesFile(opened, text, io) === undefined ? undefined : path;
}

const genericHelp = `An agent that hookbell does not know needs no installation. When something happens, let it run

  hookbell hook --agent NAME

with a JSON object on standard input:

  {"hook_event_name": "Stop", "session_id": "1", "cwd": "/path/of/the/project", "message": "what happened"}

hook_event_name is Notification, Stop, StopFailure, SubagentStop or SessionEnd (which needs a "reason").
To see which channels it reaches: hookbell explain
`;

interface HooksToWrite {
  context: InstallContext;
  reports: AgentReport[];
  isScriptDue: boolean;
  /** Plans again, for the other form of the hooks. */
  planAgain(context: InstallContext): AgentReport[];
}

/** A problem with one agent does not stop the others. */
function writeHooks(
  io: Pick<CommandIo, "stderr" | "places">,
  { context, reports, isScriptDue, planAgain }: HooksToWrite,
): { reports: AgentReport[]; newScript: string | undefined } {
  if (!isScriptDue) return { reports: applyAll(context, reports), newScript: undefined };
  // Write the script first: no hook may call a missing file.
  const installation = putScript(context);
  const newScript = installation.scriptPath;
  if (newScript !== undefined) return { reports: applyAll(context, reports), newScript };
  io.stderr(`hookbell: programs cannot run in ${io.places.stateDir}, so the hooks call Node, which is slower\n`);
  const withNode = { ...context, installation };
  return { reports: applyAll(withNode, planAgain(withNode)), newScript };
}

function applyAll(context: InstallContext, reports: readonly AgentReport[]): AgentReport[] {
  return reports.map((report) =>
    report.prepared.plan.changes.length > 0 ? { ...report, applied: applyInstall(context, report.prepared) } : report,
  );
}

function putScript({ installation, store }: Pick<InstallContext, "installation" | "store">): Installation {
  try {
    // The record comes first: a script with other paths would count as changed by another program.
    const record = store.read();
    const recorded = withInstallation(record, installation);
    if (recorded !== record) store.write(recorded);
    return putHookScript(installation);
  } catch (error) {
    const where = installation.scriptPath ?? "";
    throw new UserError("install.script", `cannot write ${where}: ${describeWriteError(error)}`, {
      hint: "nothing was written; make the folder writable, or set HOOKBELL_STATE_DIR to another one",
      exitCode: exitCodes.cannotWrite,
    });
  }
}

/** Exit code 1 if a hook is broken. */
async function verify(
  flags: { verify?: string[] | undefined; deliver?: boolean | undefined; json?: boolean | undefined } & Writing,
  io: VerifyIo & Pick<CommandIo, "stdout" | "isColor">,
  installation: Installation = findInstallation(io.env, io.places.home, io.platform),
): Promise<ExitCode> {
  const { verify: names, deliver: isDelivering = false, json: isJson = false } = flags;
  if (names === undefined) {
    throw usageError("verify", "--deliver needs --verify AGENT", "it sends the samples to your channels");
  }
  const other = writing.find((flag) => flags[flag] !== undefined);
  if (other !== undefined) {
    const hint = "run hookbell init first, then hookbell init --verify AGENT";
    throw usageError("verify", `--verify tests installed hooks, so it cannot be combined with --${other}`, hint);
  }
  const targets = namedAgents(splitNames(names), listTargets(io.env, io.places.home, io.platform), "init --verify");
  const verified = await verifyAgents(io, targets, { installation, isDelivering }, recordStore(io.places.stateDir));
  if (isJson) io.stdout(jsonLine(verifiedAsJson(verified)));
  else for (const agent of verified) io.stdout(showVerified(agent, io));
  return verified.every(isSound) ? exitCodes.done : exitCodes.failed;
}

const writing = ["agent", "yes", "dry-run", "rules", "all-events", "usage"] as const;
type Writing = Partial<Record<(typeof writing)[number], unknown>>;
