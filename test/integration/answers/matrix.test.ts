import { describe, expect, it, onTestFinished } from "vitest";
import { dispatcherPid } from "../../support/project/dispatcher-process.ts";
import { runDispatcherOf } from "../../support/project/running-dispatcher.ts";
import { temporaryProject, type Project } from "../../support/project/running-project.ts";
import {
  annOfMatrix as ann,
  bot,
  malloryOfMatrix as mallory,
  matrixRoom,
  matrixToken,
  startPretendMatrix,
  type MatrixEvent,
  type PretendMatrix,
} from "../../support/receivers/pretend-matrix.ts";
import { askHook, askWithin, decisionOf, onlyQuestion, printed } from "./asking.ts";
import { addSender } from "../../../src/answers/senders.ts";

let matrix: PretendMatrix;
let project: Project;

/** With the dispatcher within the test. */
async function startedWithin(options: Parameters<typeof startPretendMatrix>[0] = {}): Promise<void> {
  await started(options);
  runDispatcherOf(project);
}

async function started(options: Parameters<typeof startPretendMatrix>[0] = {}): Promise<void> {
  matrix = await startPretendMatrix(options);
  onTestFinished(matrix.close);
  project = temporaryProject();
  const room = { type: "matrix", homeserver: matrix.origin, room: matrixRoom, token: matrixToken, answers: true };
  project.writeRules({
    answers: { allow: ["Bash(touch *)"], hold: "always" },
    channels: { room },
    rules: [{ name: "asks", when: { event: "PermissionRequest" }, notify: ["room"] }],
  });
  addSender(project.layout, "room", { type: "matrix", id: ann, name: "Ann", pairedAt: 0 });
}

async function shown(): Promise<MatrixEvent> {
  await project.until("the question", () => onlyQuestion(project)?.shown.length === 1 && matrix.isPolled());
  const card = matrix.cards().at(-1);
  if (card === undefined) throw new Error("no message");
  return card;
}

/** Also of an edit. */
const says = (how: RegExp): boolean =>
  matrix.events.some(
    ({ sender, content }) => sender === bot && how.test(content["m.new_content"]?.body ?? content.body ?? ""),
  );

const answersIn = (): unknown[] =>
  project
    .journal()
    .filter(({ kind }) => kind === "answer")
    .map(({ what }) => what);

describe("a question in a Matrix room", () => {
  it("is allowed by a reaction, and its message then says so", async () => {
    await startedWithin();
    const hook = askWithin(project);
    const card = await shown();
    expect(card.content.body).toMatch(
      /asks to run a command[^]*│ touch made[^]*tool: Bash \(Claude Code\)[^]*folder: [^]*✅ Allow · ❌ Deny/,
    );
    expect(matrix.reactionsTo(card)).toEqual(["✅", "❌"]);
    matrix.react(mallory, card, "✅");
    matrix.react(ann, card, "🎉");
    matrix.react(ann, card, "🔁");
    await project.until("the reply", () => says(/^Not accepted: this message does not offer that/));
    matrix.react(ann, card, "✅\uFE0F");
    expect(await printed(hook)).toEqual(decisionOf("allow"));
    await project.until("the edit", () => says(/allowed by Ann in room after/));
    const edit = matrix.events.find(({ content }) => content["m.new_content"] !== undefined);
    expect(edit?.content["m.relates_to"]).toEqual({ rel_type: "m.replace", event_id: card.event_id });
    matrix.react(ann, card, "❌");
    await project.until("the late one's reply", () => says(/^Too late: allowed by Ann in room/));
    expect(answersIn()).toEqual(["refused", "allow"]);
  });

  it.each([
    ["a reply", (id: string) => ({ "m.in_reply_to": { event_id: id } }), "> <@hookbell:example.org> asks\n\nNot now."],
    ["a message in its thread", (id: string) => ({ rel_type: "m.thread", event_id: id }), "Not now."],
  ])("is denied by %s, whose words the agent reads; other talk counts for nothing", async (_what, related, text) => {
    await startedWithin();
    const hook = askWithin(project, "rm -rf build");
    const card = await shown();
    expect(matrix.reactionsTo(card)).toEqual(["❌"]);
    matrix.write(ann, "lunch?");
    const [lunch] = matrix.events.slice(-1);
    matrix.write(ann, "yes", { "m.in_reply_to": { event_id: lunch?.event_id ?? "" } });
    matrix.write(mallory, "no", related(card.event_id));
    matrix.react(ann, card, "✅");
    await project.until("the reply", () => says(/^Not accepted/));
    matrix.write(ann, "yes", related(card.event_id));
    await project.until("the hint", () => says(/^To allow it, press a button/));
    matrix.write(ann, text, related(card.event_id));
    expect(await printed(hook)).toEqual(decisionOf("deny", "Not now."));
    await project.until("the edit", () => says(/denied by Ann/));
    expect(says(/Too late/)).toBe(false);
  });

  it("is answered while the connection is cut, or no dispatcher runs", async () => {
    await started();
    const first = askHook(project);
    const card = await shown();
    matrix.cut(true);
    matrix.react(ann, card, "✅");
    matrix.cut(false);
    expect(await printed(first)).toEqual(decisionOf("allow"));
    await project.until("the edit", () => says(/allowed by/) && onlyQuestion(project) === undefined);
    const second = askHook(project, "touch another");
    const next = await shown();
    process.kill(dispatcherPid(project), "SIGKILL");
    matrix.react(ann, next, "❌");
    expect(await printed(second)).toEqual(decisionOf("deny", "The user denied this."));
    // The first answer is read again, and does nothing more.
    expect(answersIn()).toEqual(["allow", "deny"]);
  });

  it("waits as long as a busy homeserver asks", async () => {
    await startedWithin();
    const hook = askWithin(project);
    const card = await shown();
    const { firstReads } = matrix;
    matrix.limit(1, 300);
    matrix.write(ann, "anything");
    await project.until("the next request", () => matrix.isPolled());
    matrix.react(ann, card, "✅");
    expect(await printed(hook)).toEqual(decisionOf("allow"));
    expect(matrix.firstReads).toBe(firstReads);
    expect(JSON.stringify(project.journal())).not.toContain("no answers");
  });

  it("ends everywhere when the terminal answers first", async () => {
    await startedWithin();
    const hook = askWithin(project);
    await shown();
    hook.stop();
    expect(await printed(hook)).toBeUndefined();
    await project.until("the edit", () => says(/answered at the terminal after/));
  });

  it("takes no answer in an encrypted room, and says why", async () => {
    await startedWithin({ isEncrypted: true });
    const hook = askWithin(project);
    await project.until("the reason", () => JSON.stringify(project.journal()).includes("the room is encrypted"));
    hook.stop();
    expect(await printed(hook)).toBeUndefined();
  });
});
