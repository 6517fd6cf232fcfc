// `hookbell platform`: polls the platform, or prints the crontab line for it.
import { resolve } from "node:path";
import { parseDuration } from "../../../model/figures/duration.ts";
import { docsUrl, exitCodes, UserError, type ExitCode, usageError } from "../../../model/errors.ts";
import { shellWord } from "../../../model/text.ts";
import { isPolled, platformVariables, type PlatformSettings } from "../../../wing-settings/platform.ts";
import { cliCommand } from "../../../system/bundle.ts";
import { parseArguments } from "../../../console/arguments.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { jsonLine } from "../../../console/output/text.ts";
import { platformCommands } from "../help.ts";
import { readSettings } from "./open-client.ts";
import { askForNews } from "../events/ask-for-news.ts";
import { sleep } from "../../../system/clock.ts";

const minEveryMs = 60_000;

export async function poll(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values } = parseArguments(args, platformCommands.platform.flags, 0);
  const everyMs = readEvery(values.every);
  const stop = io.untilStopped();
  for (;;) {
    const exitCode = await pollOnce(io, values.config, values.json === true);
    if (everyMs === undefined) return exitCode;
    await sleep(io.clock, everyMs, stop);
    if (stop.aborted) return exitCodes.done;
  }
}

async function pollOnce(io: CommandIo, rulesFile: string | undefined, isJson: boolean): Promise<ExitCode> {
  const settings = await readPolled(io, rulesFile);
  const news = await askForNews(io, settings);
  if (isJson) {
    const events = news.queued.map(({ name, key, title }) => ({ event: name, key, title }));
    const problems = news.problems.map(({ code, message }) => ({ code, message }));
    io.stdout(jsonLine({ events, problems }));
  } else if (io.isTerminal) {
    // Prints nothing under cron, which mails every output.
    io.stdout(news.queued.map(({ name, title }) => `${name}: ${title}\n`).join("") || "nothing new\n");
  }
  for (const { message, hint } of isJson ? [] : news.problems) {
    io.stderr(`hookbell: ${message}\n${hint === undefined ? "" : `  ${hint}\n`}`);
  }
  return news.problems.length === 0 ? exitCodes.done : exitCodes.failed;
}

async function readPolled(io: CommandIo, rulesFile: string | undefined): Promise<PlatformSettings> {
  const settings = await readSettings(io, rulesFile);
  if (isPolled(settings)) return settings;
  throw new UserError("platform.nothingToPoll", "the rules file asks for no event of the platform", {
    hint: 'add "digest": { "at": "09:00" }, "budgets" or "readiness": true to "platform" in it',
    exitCode: exitCodes.usage,
  });
}

function readEvery(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const everyMs = parseDuration(text);
  if (everyMs !== undefined && everyMs >= minEveryMs) return everyMs;
  throw usageError(
    "every",
    `invalid --every ${JSON.stringify(text)}`,
    "expected a duration of a minute or more, such as 10m",
  );
}

/** Some machines have no agent that starts a dispatcher. */
export async function printCronLine(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values } = parseArguments(args, platformCommands.platform.flags, 0);
  const settings = await readPolled(io, values.config);
  const config = values.config === undefined ? [] : ["--config", resolve(io.cwd, values.config)];
  const command = cliCommand("platform", "poll", ...config);
  if (io.platform === "win32") {
    const line = command.map((word) => (/[^\w.:\\-]/.test(word) ? `"${word}"` : word)).join(" ");
    throw new UserError("platform.noCron", "Windows has no cron", {
      hint: `make a task in Task Scheduler that starts this every 10 minutes: ${line}`,
    });
  }
  const places = ["HOOKBELL_CONFIG_DIR", "HOOKBELL_STATE_DIR"].flatMap((name) => {
    const value = io.env[name];
    return value === undefined || value === "" ? [] : [`${name}=${shellWord(resolve(io.cwd, value))}`];
  });
  const words = [...places, ...command.map(shellWord)];
  // Cron reads an unescaped % as the end of the command.
  io.stdout(`*/10 * * * * ${words.join(" ").replaceAll("%", "\\%")}\n`);
  const unset = (["baseUrl", "apiKey"] as const).filter((name) => settings[name] === undefined);
  if (unset.length > 0) {
    const variables = unset.map((name) => platformVariables[name]).join(" and ");
    io.stderr(
      `hookbell: cron does not have ${variables}; set "platform" in the rules file instead, see ${docsUrl("reference/PLATFORM.md")}\n`,
    );
  }
  return exitCodes.done;
}
