// A question that is open while hookbell is upgraded: the hook of 1.0.0-rc.1 that waits gets its answer through the dispatcher of
// now, and a hook of now gets it through a dispatcher of 1.0.0-rc.1 that still runs.
import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { listDeliveries } from "../../../src/outbox/deliveries/deliveries.ts";
import { findLeaseHolder } from "../../../src/outbox/lease/lease.ts";
import { dispatcherPid, endDispatcher } from "../../support/project/dispatcher-process.ts";
import { runDispatcherOf } from "../../support/project/running-dispatcher.ts";
import { end, type Project } from "../../support/project/running-project.ts";
import { copyProgramOfNow, unpackRc1, type Program } from "../../support/home/rc1-program.ts";
import {
  ann,
  startPretendTelegram,
  type PretendTelegram,
  type ShownMessage,
} from "../../support/receivers/pretend-telegram.ts";
import {
  askHook,
  capturedQuestion,
  decisionOf,
  onlyQuestion,
  printed,
  telegramProject,
  type Hook,
} from "../answers/asking.ts";

let telegram: PretendTelegram;
beforeEach(async () => {
  telegram = await startPretendTelegram();
  onTestFinished(telegram.close);
});

const ways: readonly Way[] = [
  { name: "a tap", give: (card) => tap(card, "Allow"), decision: decisionOf("allow"), says: /allowed by Ann in phone/ },
  {
    name: "a tap that denies",
    give: (card) => tap(card, "Deny"),
    decision: decisionOf("deny", "The user denied this."),
    says: /denied by Ann in phone/,
  },
  {
    name: "a reply in words",
    give: (card) => telegram.write(ann, 77, "Not now.", card),
    decision: decisionOf("deny", "Not now."),
    says: /denied by Ann in phone/,
  },
];

const asksForColour = JSON.parse(
  readFileSync(
    new URL("../../agents/known/claude-code/payloads/PermissionRequest-AskUserQuestion.json", import.meta.url),
    "utf8",
  ),
) as { tool_input: { questions: unknown[] } };
const [colour] = asksForColour.tool_input.questions;
const blue = {
  hookSpecificOutput: {
    hookEventName: "PermissionRequest",
    decision: { behavior: "allow", updatedInput: { questions: [colour], answers: { "Which colour?": "Blue" } } },
  },
};
const colourPayload = { ...asksForColour, tool_input: { questions: [colour] } };

interface Way {
  name: string;
  give(card: ShownMessage): unknown;
  decision: unknown;
  /** How the card ends. */
  says: RegExp;
}

function tap(card: ShownMessage, label: string): string {
  const button = card.buttons.find(({ text }) => text === label);
  if (button === undefined) throw new Error(`no button ${label}: ${JSON.stringify(card)}`);
  return telegram.tap(ann, card, button.callback_data);
}

function askRc1(project: Project, rc1: Program, more: object = {}): Hook {
  const child = rc1.startHook(project, ["--agent", "claude-code", "--answer"]);
  const payload = { ...capturedQuestion, tool_input: { command: "touch made" }, ...more };
  return { child, payload, ended: end(child, JSON.stringify(payload)) };
}

/** The card with the question, once the question's file says where it is shown. A dispatcher that is killed now has nothing left to send. */
async function shown(project: Project): Promise<ShownMessage> {
  await project.until("the card", () => (onlyQuestion(project)?.shown.length ?? 0) > 0 && telegram.isPolled());
  await project.until("its record", () => listDeliveries(project.layout, "outbox").length === 0);
  const card = telegram.messages.at(-1);
  if (card === undefined) throw new Error("no card");
  return card;
}

/** A reply to a person's words is none. */
const cards = (): ShownMessage[] => telegram.messages.filter(({ text }) => text.includes("touch made"));

const starts = (project: Project): number => project.journal().filter(({ what }) => what === "started").length;

describe("a hook of 1.0.0-rc.1 that waits", () => {
  it("gets its answer through the dispatcher of now, to which the old one has handed over", async () => {
    const project = telegramProject(telegram);
    const installed = join(project.home, "installed");
    const hook = askRc1(project, unpackRc1(installed));
    const card = await shown(project);
    const old = dispatcherPid(project);
    expect(starts(project)).toBe(1);
    copyProgramOfNow(join(project.home, "next"));
    renameSync(installed, join(project.home, "old"));
    renameSync(join(project.home, "next"), installed);
    await project.until("the dispatcher of now", () => {
      const pid = findLeaseHolder(project.layout, Date.now())?.pid;
      return starts(project) === 2 && pid !== undefined && pid !== old && telegram.isPolled();
    });
    tap(card, "Allow");
    expect(await printed(hook)).toEqual(decisionOf("allow"));
    await project.until("the card's end", () => /allowed by Ann in phone/.test(card.text));
    expect([card.buttons, cards(), telegram.conflicts]).toEqual([[], [card], 0]);
  });

  it.each(ways)("is answered by $name after a dispatcher of now has taken over", async ({ give, decision, says }) => {
    const project = telegramProject(telegram);
    const hook = askRc1(project, unpackRc1(join(project.home, "rc1")));
    const card = await shown(project);
    await endDispatcher(project);
    runDispatcherOf(project);
    await project.until("the listener", () => telegram.isPolled() && starts(project) === 2);
    give(card);
    expect(await printed(hook)).toEqual(decision);
    await project.until("the card's end", () => says.test(card.text));
    await project.until("the question's end", () => onlyQuestion(project) === undefined);
    expect([card.buttons, cards()]).toEqual([[], [card]]);
  });

  it.each(ways)(
    "is answered by $name where a dispatcher of now asked its question",
    async ({ give, decision, says }) => {
      const project = telegramProject(telegram);
      runDispatcherOf(project);
      const hook = askRc1(project, unpackRc1(join(project.home, "rc1")));
      const card = await shown(project);
      give(card);
      expect(await printed(hook)).toEqual(decision);
      await project.until("the card's end", () => says.test(card.text));
      expect(starts(project)).toBe(1);
    },
  );

  it("waits on while its project is muted by a button that it does not know", async () => {
    const project = telegramProject(telegram);
    runDispatcherOf(project);
    const rc1 = unpackRc1(join(project.home, "rc1"));
    const hook = askRc1(project, rc1);
    const card = await shown(project);
    tap(card, "Mute 1h");
    await project.until("the mute", () => telegram.toasts.length === 1);
    expect(telegram.toasts).toEqual([expect.stringMatching(/^proj is silent until .* This question still waits/)]);
    expect(JSON.parse((await rc1.run(project, ["pending", "--json"])).stdout)).toHaveLength(1);
    tap(card, "Allow");
    expect(await printed(hook)).toEqual(decisionOf("allow"));
  });

  it("is given the option that was chosen, after a dispatcher of now has taken over", async () => {
    const project = telegramProject(telegram);
    const hook = askRc1(project, unpackRc1(join(project.home, "rc1")), colourPayload);
    const card = await shown(project);
    await endDispatcher(project);
    runDispatcherOf(project);
    await project.until("the listener", () => telegram.isPolled() && starts(project) === 2);
    tap(card, "Blue");
    expect(await printed(hook)).toEqual(blue);
    await project.until("the card's end", () => /answered by Ann in phone/.test(card.text));
  });

  it("is answered in a terminal by `hookbell answer` of now, which names it by the same id", async () => {
    const project = telegramProject(telegram);
    const rc1 = unpackRc1(join(project.home, "rc1"));
    const hook = askRc1(project, rc1);
    await shown(project);
    const before = await rc1.run(project, ["pending", "--json"]);
    const now = await project.command(["pending", "--json"]);
    const idsIn = (json: string): string[] => (JSON.parse(json) as { id: string }[]).map(({ id }) => id);
    expect(idsIn(now.stdout)).toEqual(idsIn(before.stdout));
    await endDispatcher(project);
    const [id = ""] = idsIn(now.stdout);
    expect(await project.command(["answer", id, "deny", "--message", "Later."])).toMatchObject({ code: 0, stderr: "" });
    expect(await printed(hook)).toEqual(decisionOf("deny", "Later."));
  });

  it("ends without a decision when its agent stops it, and the dispatcher of now ends the card", async () => {
    const project = telegramProject(telegram);
    const hook = askRc1(project, unpackRc1(join(project.home, "rc1")));
    const card = await shown(project);
    await endDispatcher(project);
    runDispatcherOf(project);
    await project.until("the listener", () => telegram.isPolled() && starts(project) === 2);
    hook.child.kill("SIGTERM");
    expect((await hook.ended).stdout).toBe("");
    await project.until("the card's end", () => card.buttons.length === 0);
    expect(await project.command(["pending"])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^no /) });
  });
});

describe("a hook of now", () => {
  it.each(ways)("is answered by $name where a dispatcher of 1.0.0-rc.1 runs", async ({ give, decision, says }) => {
    const project = telegramProject(telegram);
    const dispatcher = unpackRc1(join(project.home, "rc1")).start(project, ["dispatch"]);
    await project.until("the old dispatcher", () => starts(project) === 1);
    const hook = askHook(project);
    const card = await shown(project);
    give(card);
    expect(await printed(hook)).toEqual(decision);
    await project.until("the card's end", () => says.test(card.text));
    expect([starts(project), dispatcherPid(project)]).toEqual([1, dispatcher.pid]);
  });

  it("is given the option that was chosen where a dispatcher of 1.0.0-rc.1 runs", async () => {
    const project = telegramProject(telegram);
    unpackRc1(join(project.home, "rc1")).start(project, ["dispatch"]);
    await project.until("the old dispatcher", () => starts(project) === 1);
    const hook = askHook(project, "", {}, colourPayload);
    tap(await shown(project), "Blue");
    expect(await printed(hook)).toEqual(blue);
  });

  it("falls through to the terminal where a dispatcher of 1.0.0-rc.1 has other rules", async () => {
    const project = telegramProject(telegram);
    const { env } = telegramProject(telegram);
    const rc1 = unpackRc1(join(project.home, "rc1"));
    rc1.start({ ...project, env: { ...project.env, HOOKBELL_CONFIG_DIR: env.HOOKBELL_CONFIG_DIR } }, ["dispatch"]);
    await project.until("the old dispatcher", () => starts(project) === 1);
    const hook = askHook(project);
    expect(await printed(hook)).toBeUndefined();
    await project.until("the message", () => telegram.messages.length === 1);
    expect(telegram.messages[0]?.buttons).toEqual([]);
  });
});
