// `hookbell platform poll`: asks the platform for what is new, and hands it to the rules as events.
import { parseDuration } from "../../model/figures/duration.ts";
import { exitCodes, UserError, type ExitCode } from "../../model/errors.ts";
import { readCursor } from "../../platform/events/cursor.ts";
import { findNews } from "../../platform/events/find-news.ts";
import { isPolled, type PlatformSettings } from "../../platform/settings.ts";
import { suggest } from "../../rules/nearest.ts";
import { parseArguments } from "../console/arguments.ts";
import type { CommandIo } from "../console/command-io.ts";
import { jsonLine } from "../console/text.ts";
import { platformCommands } from "../help/platform.ts";
import { openPlatformClient } from "./open-client.ts";
import { queueEvents } from "./queue-events.ts";

const minEveryMs = 60_000;

export async function platform(args: string[], io: CommandIo): Promise<ExitCode> {
  const [verb, ...rest] = args;
  if (verb === "poll") return await poll(rest, io);
  const message = verb === undefined ? "say what to do" : `unknown command hookbell platform ${verb}`;
  throw new UserError("usage.platform", message, {
    hint: verb === undefined ? "hookbell platform poll" : suggest(verb, platformCommands.platform.words, "commands"),
    exitCode: exitCodes.usage,
  });
}

async function poll(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values } = parseArguments(args, platformCommands.platform.flags, 0);
  const everyMs = readEvery(values.every);
  const stop = io.untilStopped();
  for (;;) {
    const exitCode = await pollOnce(io, values.config, values.json === true);
    if (everyMs === undefined) return exitCode;
    await new Promise<void>((resolve) => {
      const cancel = io.clock.after(everyMs, resolve);
      stop.addEventListener("abort", () => (cancel(), resolve()), { once: true });
    });
    if (stop.aborted) return exitCodes.done;
  }
}

async function pollOnce(io: CommandIo, rulesFile: string | undefined, isJson: boolean): Promise<ExitCode> {
  const { client, settings } = await openPlatformClient(io, rulesFile);
  requireSomething(settings);
  const news = await findNews(client, settings, readCursor(io.places.stateDir), io.clock.now());
  const queued = await queueEvents(io, news.events, news);
  if (isJson) {
    const events = queued.map(({ name, key, title }) => ({ event: name, key, title }));
    const problems = news.problems.map(({ code, message }) => ({ code, message }));
    io.stdout(jsonLine({ events, problems }));
  } else if (io.isTerminal) {
    // From cron it says nothing, since every word there becomes a mail.
    io.stdout(queued.map(({ name, title }) => `${name}: ${title}\n`).join("") || "nothing new\n");
  }
  if (!isJson) for (const { message } of news.problems) io.stderr(`hookbell: ${message}\n`);
  return news.problems.length === 0 ? exitCodes.done : exitCodes.failed;
}

function requireSomething(settings: PlatformSettings): void {
  if (isPolled(settings)) return;
  throw new UserError("platform.nothingToPoll", "the rules file asks for no event of the platform", {
    hint: 'add "digest": { "at": "09:00" }, "budgets" or "readiness": true to "platform" in it',
    exitCode: exitCodes.usage,
  });
}

function readEvery(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const everyMs = parseDuration(text);
  if (everyMs !== undefined && everyMs >= minEveryMs) return everyMs;
  throw new UserError("usage.every", `invalid --every ${JSON.stringify(text)}`, {
    hint: "expected a duration of a minute or more, such as 10m",
    exitCode: exitCodes.usage,
  });
}
