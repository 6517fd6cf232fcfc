import { randomId } from "../system/random-id.ts";
import { understand, record } from "../dispatch/understand.ts";
import { exitCodes, type ExitCode } from "../model/errors.ts";
import { layoutOf } from "../outbox/layout.ts";
import type { CommandIo } from "./command-io.ts";
import { deliverNow } from "./deliver-now.ts";
import { parseHookArguments } from "./hook-arguments.ts";
import { openDispatcher } from "./open-dispatcher.ts";
import { readHookInput } from "./read-hook-input.ts";
import { showOutcome } from "./show-outcome.ts";
import { takePayload } from "./take-payload.ts";
import { wake } from "./wake.ts";

/** `hook` as the agents' entry does it; with `--wait`, delivered in the foreground, each outcome shown. */
export async function hook(args: string[], io: CommandIo): Promise<ExitCode> {
  if (io.env.HOOKBELL_DISABLE === "1") return exitCodes.done;
  const options = parseHookArguments(args);
  if (options.status === "wrong") return complain(io, options.problems);
  if (options.status === "plain") return complain(io, await takePayload(options, io.env));

  const layout = layoutOf(io.places.stateDir);
  const input = await readHookInput(options, io.env, layout);
  if (input.status === "refused") return complain(io, input.lines);
  const dispatcher = openDispatcher(io, options.rulesFile);
  const origin = { eventId: `evt_${randomId()}`, receivedAt: io.clock.now() };
  const understood = understand(dispatcher, input.reading, origin);
  record(dispatcher, understood);
  const results = await deliverNow(dispatcher, understood.planned, ({ delivery, outcome, ms, next }) => {
    if (options.isJson) return;
    const later = next === "retry" ? "; it will be tried again" : "";
    io.stdout(`${delivery.channel}: ${showOutcome(io, outcome)} after ${ms} ms${later}\n`);
  });
  if (options.isJson) {
    const deliveries = results.map(({ delivery: { channel }, outcome, ms }) => ({
      channel,
      outcome: outcome.status,
      ...(outcome.status === "failed" ? { reason: outcome.reason } : {}),
      ...(outcome.detail === undefined ? {} : { detail: outcome.detail }),
      ms,
    }));
    io.stdout(`${JSON.stringify({ event: understood.event, deliveries })}\n`);
  } else if (results.length === 0) {
    io.stdout("no rule sends this event anywhere; see: hookbell explain\n");
  }
  if (results.some(({ next }) => next === "retry")) await wake(io);
  return results.every(({ outcome }) => outcome.status === "delivered") ? exitCodes.done : exitCodes.failed;
}

/** Never 2 or more: agents read those as "block". */
function complain(io: CommandIo, lines: readonly string[]): ExitCode {
  io.stderr(lines.map((line) => `hookbell: ${line}\n`).join(""));
  return lines.length === 0 ? exitCodes.done : exitCodes.failed;
}
