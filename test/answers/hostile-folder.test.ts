import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  fullMachines,
  listQuestions,
  questionsFolder,
  readQuestion,
  removeAbandoned,
  sealOf,
  type Question,
  whyNoPlace,
} from "../../src/answers/questions.ts";
import type { Layout } from "../../src/outbox/layout.ts";
import { hostName } from "../../src/system/process/identity.ts";
import { prepareDispatcher } from "../support/project/running-dispatcher.ts";
import { temporaryFolder, temporaryState } from "../support/project/temporary-state.ts";
import { openQuestion, sampleQuestion } from "./sample.ts";

const own = { host: hostName() };
const elsewhere = { host: "devbox", isElsewhere: true };

/** As many questions as a machine may have, without the disk's pause for each. */
function fillPlaces(layout: Layout, more: Partial<Question>, hostOf = (_count: number) => more.host ?? ""): void {
  mkdirSync(questionsFolder(layout), { recursive: true, mode: 0o700 });
  for (let count = 0; count < 100; count += 1) {
    const question = sampleQuestion({ ...more, host: hostOf(count) });
    writeFileSync(join(questionsFolder(layout), `${question.id}.json`), JSON.stringify(question));
  }
}

const hour = 60 * 60_000;

describe("the folder of the questions", () => {
  it("takes none where other users can write (posix)", () => {
    const layout = temporaryState();
    expect(whyNoPlace(layout, own)).toBeUndefined();
    chmodSync(questionsFolder(layout), 0o777);
    expect(whyNoPlace(layout, own)).toContain("can be changed by other users");
  });

  it("takes none where it is a link to a folder that other users can write (posix)", () => {
    const layout = temporaryState();
    const shared = join(temporaryFolder(), "shared");
    mkdirSync(shared);
    chmodSync(shared, 0o777);
    rmSync(questionsFolder(layout), { recursive: true, force: true });
    symlinkSync(shared, questionsFolder(layout));
    expect(whyNoPlace(layout, own)).toContain("can be changed by other users");
  });

  it("takes a hundred of each machine, whatever the others have", () => {
    const layout = temporaryState();
    const machines = [
      { host: "devbox", isElsewhere: true },
      // Version 1.0.0-rc.1 did not write where a question comes from.
      { host: "gpu-box" },
      // A remote may have this machine's name.
      { host: hostName(), isElsewhere: true },
      own,
    ];
    for (const [nth, machine] of machines.entries()) {
      expect(whyNoPlace(layout, machine)).toBeUndefined();
      fillPlaces(layout, machine);
      const name = machine === own ? "this machine" : machine.host;
      expect(whyNoPlace(layout, machine)).toBe(`100 questions of ${name} wait already`);
      expect(fullMachines(layout)).toHaveLength(nth + 1);
    }
    expect(listQuestions(layout)).toHaveLength(400);
  });

  it("counts what a machine of the fleet passes on as that machine's", () => {
    const layout = temporaryState();
    fillPlaces(layout, { isElsewhere: true }, (count) => `box/made-up-${count}`);
    expect(whyNoPlace(layout, { host: "box/another", isElsewhere: true })).toBe("100 questions of box wait already");
    expect(whyNoPlace(layout, elsewhere)).toBeUndefined();
  });

  it("is asked for nothing outside of it", () => {
    const layout = temporaryState();
    const question = openQuestion(layout);
    const text = JSON.stringify({ ...question, id: "../outside" });
    writeFileSync(join(layout.root, "outside.json"), text);
    expect(readQuestion(layout, "../outside")).toBeUndefined();
    writeFileSync(join(questionsFolder(layout), "other.json"), JSON.stringify(question));
    expect(listQuestions(layout)).toEqual([question]);
  });

  it("loses what is old and belongs to no question", () => {
    const layout = temporaryState();
    const { id, askedAt } = openQuestion(layout);
    const folder = questionsFolder(layout);
    for (const name of ["torn.json", "gone.answer", "gone.obeyed", ".tmp-1-2", `${id}.answer`]) {
      writeFileSync(join(folder, name), "{");
      utimesSync(join(folder, name), askedAt / 1000, askedAt / 1000);
    }
    writeFileSync(join(folder, "new.json"), "{");
    utimesSync(join(folder, "new.json"), askedAt / 1000 + 3600, askedAt / 1000 + 3600);
    removeAbandoned(layout, askedAt + 1.5 * hour);
    expect(readdirSync(folder).sort()).toEqual([`${id}.answer`, `${id}.json`, "new.json"].sort());
  });
});

it("hundreds of questions of hooks that are gone are closed, a hundred at a time", async () => {
  const running = prepareDispatcher();
  const { layout } = running.dispatcher;
  running.writeRules({ answers: {}, rules: [{ name: "none", notify: [] }] });
  const first = openQuestion(layout, { host: "testhost", pid: 2 ** 30 });
  for (let count = 0; count < 350; count += 1) {
    const asked = { ...first, id: `1-${count}` };
    writeFileSync(join(questionsFolder(layout), `${asked.id}.json`), JSON.stringify({ ...asked, seal: sealOf(asked) }));
  }
  expect(listQuestions(layout).length).toBe(100);
  void running.run();
  await running.until(
    "an empty folder",
    () => !readdirSync(questionsFolder(layout)).some((name) => name.endsWith(".json")),
  );
  expect(existsSync(questionsFolder(layout))).toBe(true);
});
