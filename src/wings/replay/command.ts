// `hookbell replay`: shows what would have been sent under other rules, beside what was sent.
import { openRules } from "../../pipeline/current-rules.ts";
import { compare } from "./compare.ts";
import { replayJournal } from "./run.ts";
import { exitCodes, type ExitCode, usageError, UserError } from "../../model/errors.ts";
import { formatDuration, parseDuration } from "../../model/figures/duration.ts";
import { listJournal } from "../../outbox/journal.ts";
import { layoutOf } from "../../outbox/layout.ts";
import { parseArguments } from "../../console/arguments.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { createProgress } from "../../console/output/progress.ts";
import { jsonLine, wrapping } from "../../console/output/text.ts";
import { replayCommands } from "./help.ts";
import { goodRules, requireRulesFile } from "../../commands/pipeline/load-rules.ts";
import { reportOf, showFound } from "./show-report.ts";

const usualSince = "7d";

export async function replay(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values } = parseArguments(args, replayCommands.replay.flags, 0);
  const to = io.clock.now();
  const from = to - readSince(values.since ?? usualSince);
  const layout = layoutOf(io.places.stateDir);
  requireRulesFile(values.rules, "--rules");
  // Opened without the state folder, the rules leave no copy there.
  const { stuckAfterMs, quietHours } = (await openRules(io.places.rulesFile, undefined)).rules().rules;
  const file = values.rules ?? io.places.rulesFile;
  const rules = goodRules(await openRules(file, undefined), values.rules, io);
  if (listJournal(layout).length === 0) throw nothingThere("no event has arrived yet", "hookbell init adds the hooks");
  const { places, platform } = io;
  const stop = io.untilStopped();
  const progress = createProgress(io);
  const replayed = await replayJournal({
    layout,
    span: { from, to },
    rules,
    stuckAfterMs,
    home: places.home,
    platform,
    stop,
    onProgress: (share) => progress.show(`replaying the journal: ${Math.floor(share * 100)} % ...`),
  }).finally(progress.end);
  if (replayed === undefined) return exitCodes.failed;
  if (replayed.events === 0) throw nothingThere(`the journal has no event of the last ${formatDuration(to - from)}`);
  const { was, wouldBe } = replayed;
  const found = { from, to, replayed, isOther: values.rules !== undefined, ...compare(was, wouldBe, quietHours) };
  if (values.json === true) io.stdout(jsonLine(reportOf(found)));
  else wrapping(io).stdout(showFound(found, io));
  return exitCodes.done;
}

function nothingThere(why: string, hint = "hookbell log --all shows what it has"): UserError {
  return new UserError("journal.empty", `there is nothing to replay: ${why}`, { hint, exitCode: exitCodes.badInput });
}

function readSince(text: string): number {
  const span = parseDuration(text);
  if (span !== undefined && span > 0) return span;
  throw usageError(
    "replay",
    `${JSON.stringify(text)} is not a duration`,
    "hookbell replay --since 7d --rules new.jsonc",
  );
}
