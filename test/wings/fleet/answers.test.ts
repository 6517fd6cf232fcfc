import { expect, it } from "vitest";
import { give } from "../../../src/answers/give-answer.ts";
import {
  digestOf,
  openQuestions,
  readAnswer,
  sealOf,
  writeQuestion,
  type Question,
} from "../../../src/answers/questions.ts";
import { listIncoming } from "../../../src/outbox/incoming.ts";
import { writeIncoming } from "../../../src/outbox/write-incoming.ts";
import { entryKey, buckets } from "../../../src/wings/fleet/names.ts";
import { Kvm } from "@nats-io/kv";
import { uniqueName } from "../../../src/system/files/files.ts";
import { openQuestion } from "../../answers/sample.ts";
import { prepareMachine, runAll, startReceiver, untilLater, type Machine } from "../../support/fleet/machines.ts";
import { startPlainBroker, type PlainBroker } from "../../support/fleet/plain-broker.ts";
import { describeWithParts } from "../../support/parts.ts";

const hourMs = 3_600_000;
const member = { org: "acme", person: "ada", host: "box" };

/** The hook of a permission on this machine waits for an answer. */
function ask(machine: Machine, command = "npm test"): Question {
  const { layout } = machine.dispatcher;
  const nowMs = machine.clock.now();
  const cwd = "/home/u/shop-web";
  const input = { command };
  const payload = { hook_event_name: "PermissionRequest", session_id: "s1", cwd, tool_name: "Bash", tool_input: input };
  const id = uniqueName(nowMs);
  const digest = digestOf({ tool: "Bash", input, session: "s1", cwd, host: "box" });
  const asked = { id, session: "s1", cwd, host: "box", digest, askedAt: nowMs, expiresAt: nowMs + 600_000 };
  const question = openQuestion(layout, asked);
  const hints = { agentId: "claude-code", eventName: "PermissionRequest", unique: id, nowMs };
  writeIncoming(layout, JSON.stringify(payload), hints);
  return question;
}

const answers = { allow: ["Bash(npm test)"] };

async function twoMachines(): Promise<{ broker: PlainBroker; box: Machine; laptop: Machine }> {
  const broker = await startPlainBroker();
  const receiver = await startReceiver();
  const box = await prepareMachine(broker, receiver, "box", { idleMs: hourMs, rules: { answers } });
  const laptop = await prepareMachine(broker, receiver, "laptop", { idleMs: 1000, rules: { answers } });
  await runAll(box, laptop);
  return { broker, box, laptop };
}

const openOn = ({ dispatcher, clock }: Machine): Question[] => openQuestions(dispatcher.layout, clock.now());

describeWithParts("a question of another machine", ["nats-server"], () => {
  it("is answered here, and ends there", async () => {
    const { box, laptop } = await twoMachines();
    const question = ask(box);
    await untilLater("the laptop asks", [box, laptop], () => openOn(laptop).length > 0);
    const [here] = openOn(laptop);
    if (here === undefined) throw new Error("no question");
    expect(here).toMatchObject({ host: "box", tool: "Bash", isAllowable: true });
    expect(here.digest).not.toBe(question.digest);
    give(laptop.dispatcher.layout, here, { choice: "allow", by: "Ada", channel: "phone", at: laptop.clock.now() });
    await untilLater(
      "the box has the answer",
      [box, laptop],
      () => readAnswer(box.dispatcher.layout, question.id) !== undefined,
    );
    expect(readAnswer(box.dispatcher.layout, question.id)).toMatchObject({
      choice: "allow",
      by: "Ada on laptop",
      channel: "phone",
    });
  });

  it("ends here when it is answered there", async () => {
    const { box, laptop } = await twoMachines();
    const question = ask(box);
    await untilLater("the laptop asks", [box, laptop], () => openOn(laptop).length > 0);
    give(box.dispatcher.layout, question, { choice: "deny", by: "Ada", at: box.clock.now() });
    const endings = (): unknown[] => laptop.journal("answer").map(({ by }) => by);
    await untilLater("the laptop's question ends", [box, laptop], () => endings().length > 0);
    expect(endings()).toEqual([expect.stringMatching(/^denied by Ada .* on box$/)]);
  });

  it("takes no answer to another question, and none that its own list does not allow", async () => {
    const { broker, box, laptop } = await twoMachines();
    const question = ask(box, "rm -rf /");
    await untilLater("the laptop asks", [box, laptop], () => openOn(laptop).length > 0);
    const [{ event } = { event: undefined }] = box.journal("event");
    const { id: eventId } = event as { id: string };
    const bucket = await new Kvm(await broker.connect()).open(buckets.answers.name);
    const forged = { choice: "deny", by: "Eve", host: "laptop" };
    await bucket.put(entryKey(member, eventId), JSON.stringify({ ...forged, digest: "0" }));
    const refused = (): unknown[] =>
      box.journal("answer").flatMap(({ what, why }) => (what === "refused" ? [why] : []));
    await untilLater("the box refuses it", [box, laptop], () => refused().length === 1);
    // The sample is allowed by the list; what is asked here is not whole, so no one may allow it.
    const { digest } = question;
    writeQuestion(box.dispatcher.layout, resealed({ ...question, isAllowable: false }));
    await bucket.put(entryKey(member, eventId), JSON.stringify({ ...forged, choice: "allow", digest }));
    await untilLater("the box refuses that, too", [box, laptop], () => refused().length === 2);
    expect(refused()).toEqual(["it answers another question", expect.stringContaining("Not allowed here")]);
    expect(readAnswer(box.dispatcher.layout, question.id)).toBeUndefined();
  });

  it("is told, but not asked here, if a part of it is masked", async () => {
    const { box, laptop } = await twoMachines();
    ask(box, "npm test --token ghp_0123456789abcdefghijABCDEFGHIJ012345");
    await untilLater("the laptop has taken it in", [box, laptop], () => laptop.journal("event").length > 0);
    expect(openOn(laptop)).toEqual([]);
    expect(listIncoming(laptop.dispatcher.layout)).toEqual([]);
  });
});

function resealed({ seal: _, ...asked }: Question): Question {
  return { ...asked, seal: sealOf(asked) };
}
