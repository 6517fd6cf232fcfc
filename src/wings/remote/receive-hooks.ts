// Takes in what agents on other machines post to `hookbell serve`: each event enters incoming/ as if a hook had written it here.
import { join } from "node:path";
import { describePayloadProblem, readPayload } from "../../agents/read-payload.ts";
import { decisionFor } from "../../answers/decision.ts";
import { readQuestion } from "../../answers/questions.ts";
import { waitForAnswer } from "../../answers/wait-for-answer.ts";
import type { Dispatcher } from "../../pipeline/dispatcher.ts";
import { describeWriteError } from "../../model/errors.ts";
import { eventIdOf } from "../../outbox/incoming.ts";
import { incomingFileName } from "../../outbox/write-incoming.ts";
import { maxWaiting } from "./hook-there.ts";
import { findCalling, isReached, listRemotes, remoteFolder, writeStatus } from "./remotes.ts";
import {
  ensurePrivateDir,
  listAside,
  listNames,
  renameIfThere,
  tryToRemove,
  uniqueName,
} from "../../system/files/files.ts";
import { syncDir, touch, writeWhole } from "../../system/files/write.ts";
import type { HookCall, HookReceiver, ReceivedHook } from "./http-hooks.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { jsonLine } from "../../console/output/text.ts";
import { askForRemotes } from "../../daemon/leased/ask-for-remotes.ts";
import { wake } from "../../daemon/open-dispatcher.ts";

export function receiveHooks(dispatcher: Dispatcher, io: CommandIo): HookReceiver {
  const { layout } = dispatcher;
  const { clock } = io;
  const wakeUp = (): void => wake(io);
  const asking = askForRemotes(dispatcher, wakeUp);
  const stagingOf = (remote: string): string => join(remoteFolder(layout, remote), "staging");
  const place = (staging: string, file: string): void => {
    renameIfThere(join(staging, file), join(layout.incoming, file));
    syncDir(layout.incoming);
  };
  // A server that was killed here has kept these, and has not said so.
  for (const remote of listRemotes(layout)) {
    if (isReached(remote)) continue;
    const staging = stagingOf(remote.name);
    for (const file of listNames(staging)) place(staging, file);
    for (const cutOff of listAside(staging)) tryToRemove(join(staging, cutOff));
  }

  const keep = async ({ remote, agentId, eventName, text }: HookCall): Promise<string> => {
    const nowMs = Math.trunc(clock.now());
    const unique = uniqueName(nowMs);
    const file = incomingFileName({ unique, agentId, eventName, host: remote, nowMs });
    const staging = stagingOf(remote);
    ensurePrivateDir(staging);
    writeWhole(join(staging, file), text);
    touch(join(staging, file), nowMs);
    // The question must be there before its event is taken in.
    await asking.ask({ id: unique, eventId: eventIdOf(file, nowMs), agentId, eventName, text }, remote);
    place(staging, file);
    return unique;
  };
  return {
    remoteOf: (secret) => findCalling(layout, secret)?.name,
    async take(call): Promise<ReceivedHook> {
      const { remote, agentId, eventName, text } = call;
      const reading = readPayload(text, { agentId, eventName, env: {} });
      if (reading.status === "invalid") {
        const problems = reading.problems.map((problem) => describePayloadProblem(problem, reading.eventName));
        return { what: "invalid", why: problems.join("; ") };
      }
      if (listNames(layout.incoming).length >= maxWaiting) {
        return { what: "notKept", why: `${maxWaiting} events wait for a dispatcher already` };
      }
      let id: string;
      try {
        id = await keep(call);
        writeStatus(layout, remote, { what: "connected", at: clock.now() });
      } catch (error) {
        return { what: "notKept", why: `the event cannot be kept: ${describeWriteError(error)}` };
      }
      wakeUp();
      const question = readQuestion(layout, id);
      if (question === undefined) return { what: "taken" };
      return {
        what: "asked",
        async answer(gone) {
          const answer = await waitForAnswer(layout, question, { clock, stop: gone, wake: wakeUp });
          const decision = answer === undefined ? undefined : decisionFor(question, answer, reading.usual);
          return decision === undefined ? "" : jsonLine(decision);
        },
      };
    },
  };
}
