// The file of a sandbox's events, while its dispatcher is killed and the file is replaced.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { stopPayload } from "../support/faults/remote-storm.ts";
import { endDispatcher } from "../support/project/dispatcher-process.ts";
import { addBox, gotFromBox, recordingProject } from "../support/project/spool-box.ts";

it("loses and doubles nothing while the dispatcher is killed ten times, and the file replaced by longer copies", async () => {
  const project = recordingProject();
  const { spool, hook } = await addBox(project);
  const sent = Array.from({ length: 500 }, (_, index) => `turn ${index}`);
  for (let part = 0; part < 10; part += 1) {
    const some = sent.slice(part * 50, part * 50 + 50);
    const appended = Promise.all(some.map((text) => hook(stopPayload("s1", text))));
    await endDispatcher(project);
    project.start(["dispatch", "--detached"]);
    expect(new Set((await appended).map(({ code }) => code))).toEqual(new Set([0]));
    if (part === 6) {
      const text = readFileSync(spool);
      rmSync(spool);
      writeFileSync(spool, text);
    }
  }
  await project.until("all events", () => gotFromBox(project).length >= 500);
  // This one comes after all that could come twice.
  await hook(stopPayload("s1", "last"));
  await project.until("the last event", () => gotFromBox(project).includes("box:s1 last"));
  expect(gotFromBox(project).toSorted()).toEqual([...sent, "last"].map((text) => `box:s1 ${text}`).toSorted());
});
