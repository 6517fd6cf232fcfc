// `hookbell board`: every session at one look, live, with what it asks; keys answer and go to its terminal.
import { type ExitCode, exitCodes, usageError } from "../../model/errors.ts";
import { parseArguments } from "../../console/arguments.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { jsonLine, reportColumns } from "../../console/output/text.ts";
import { boardCommands } from "./help.ts";
import { rowsAsJson } from "../../commands/queue/sessions.ts";
import { showBoard } from "./live.ts";
import { stateSource } from "./source.ts";
import { printDay } from "./today.ts";
import { printBoard } from "./view.ts";

/** A pipe has no width. */
const usualColumns = 120;

export async function board(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values } = parseArguments(args, boardCommands.board.flags, 0);
  const shown = (["once", "json", "today"] as const).filter((name) => values[name] === true);
  if (shown.includes("once") && shown.length > 1)
    throw usageError("board", `--${shown.join(" and --")} cannot be combined`, "leave one of them out");
  const source = values.demo === true ? (await import("./demo.ts")).demoSource(io.clock) : stateSource(io);
  const notice = await source.readRules();
  const nowMs = io.clock.now();
  const columns = Math.min(reportColumns(io), io.isTerminal ? Infinity : usualColumns);
  if (values.today) {
    const day = await source.readDay(nowMs);
    io.stdout(values.json ? jsonLine(day) : printDay(day, { columns, isColor: io.isColor }));
  } else if (values.json) io.stdout(rowsAsJson(source.read(nowMs)));
  else if (values.once === true || !io.isTerminal || io.env.TERM === "dumb") {
    io.stdout(printBoard(source.read(nowMs), { columns, isColor: io.isColor, nowMs, notice }));
  } else await showBoard(source, io);
  return exitCodes.done;
}
