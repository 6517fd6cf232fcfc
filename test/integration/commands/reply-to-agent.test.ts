import { afterEach, beforeEach, expect, it } from "vitest";
import { readPayload } from "../../../src/agents/read-payload.ts";
import type { CommandIo } from "../../../src/console/command-io.ts";
import { openDispatcher } from "../../../src/commands/pipeline/open-dispatcher.ts";
import { decidePayload } from "../../../src/pipeline/pipeline.ts";
import { writeEndpoint } from "../../../src/outbox/endpoints.ts";
import { systemRandom } from "../../../src/system/clock.ts";
import { findPlaces } from "../../../src/system/paths.ts";
import { uniqueName } from "../../../src/system/files/files.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { cliPath, payloadOf } from "../../support/project/running-project.ts";
import { arrivedAt, webhookProject } from "./webhook-project.ts";
import { replyToAgent } from "../../../src/commands/send/hook.ts";

// The dispatcher that is started lies beside the script that Node was started with.
let script: string | undefined;
beforeEach(() => {
  script = process.argv[1];
  process.argv[1] = cliPath;
});
afterEach(() => {
  process.argv[1] = script ?? "";
});

it("has all others on their way before it waits to answer: its agent may kill it at any moment", async () => {
  const project = await webhookProject();
  project.writeRules({
    channels: { ops: { type: "webhook", url: `${project.receiver.origin}/ops` }, here: { type: "terminal" } },
    rules: [{ name: "all", notify: ["ops", "here"] }],
  });
  const clock = createFakeClock(Date.now());
  let stdout = "";
  const io: CommandIo = {
    stdout(text) {
      stdout += text;
    },
    stderr() {},
    isTerminal: false,
    isStdinTerminal: false,
    isStderrTerminal: false,
    isColor: false,
    columns: 80,
    env: project.env as Record<string, string>,
    clock,
    random: systemRandom,
    places: findPlaces(project.env as Record<string, string>),
    platform: process.platform,
    cwd: project.home,
    ancestry: () => [],
    untilStopped: () => new AbortController().signal,
    readStdin: () => Promise.resolve(""),
  };
  const dispatcher = await openDispatcher(io);
  const reading = readPayload(payloadOf("Stop"), { agentId: "generic", eventName: undefined, env: {} });
  if (reading.status !== "valid") throw new Error("the payload is not valid");
  const nowMs = clock.now();
  const origin = { eventId: "evt_1", receivedAt: nowMs, position: uniqueName(nowMs), callerPids: [] };
  writeEndpoint(dispatcher.layout, { channel: "here", notBefore: nowMs + 2000 });

  const agent = { showsInTerminal: ["Stop"] };
  const ended = replyToAgent(io, dispatcher, await decidePayload(dispatcher, { reading, origin }), agent, () => {});
  // Our clock stands still meanwhile.
  await project.until("the other one", () => arrivedAt(project.receiver, "/ops").length === 1);
  expect(stdout).toBe("");
  clock.turn(2000);
  expect(await ended).toBe(0);
  expect(JSON.parse(stdout)).toHaveProperty("terminalSequence");
});
