// A plug-in that is removed or updated while its dispatcher runs, which waits a minute before it takes the program for gone.
import { cpSync, existsSync, renameSync, rmSync } from "node:fs";
import { expect, it } from "vitest";
import { findLeaseHolder } from "../../../src/outbox/lease/lease.ts";
import { installPlugIn, plugInsForFile, type InstalledPlugIn } from "../../support/agents/plug-ins.ts";
import { silent } from "../../support/project/posix-hook.ts";
import { rulesTo } from "../../support/project/running-dispatcher.ts";
import { payloadOf, temporaryProject, type Project } from "../../support/project/running-project.ts";
import { unusedOrigin } from "../../support/receivers/http-receiver.ts";

const plugIns = plugInsForFile();
const holderOf = ({ layout }: Project): number | undefined => findLeaseHolder(layout, Date.now())?.pid;

/** Its dispatcher stays, since no one listens at the only channel. */
async function withDispatcher(): Promise<{ project: Project; plugIn: InstalledPlugIn }> {
  const project = temporaryProject();
  project.writeRules(rulesTo(unusedOrigin));
  const plugIn = installPlugIn(plugIns(), "claude-code", project, process.execPath);
  expect(await plugIn.hook("Stop", payloadOf("Stop"))).toEqual(silent);
  // Until then it loads parts of its program, without which it ends at once.
  await project.until("a dispatcher at work", () => project.journal().some(({ kind }) => kind === "attempt"));
  return { project, plugIn };
}

it("leaves no dispatcher behind when it is removed, and only the state", async () => {
  const { project, plugIn } = await withDispatcher();
  rmSync(plugIn.folder, { recursive: true });
  await project.until("its end", () => holderOf(project) === undefined);
  expect(project.journal().at(-1)).toMatchObject({ kind: "dispatcher", what: "ended" });
  expect(existsSync(plugIn.folder)).toBe(false);
});

it("hands what waits to its next version when it is updated in place", async () => {
  const { project, plugIn } = await withDispatcher();
  const before = holderOf(project);
  const next = `${plugIn.folder}.next`;
  cpSync(plugIn.folder, next, { recursive: true });
  renameSync(plugIn.folder, `${plugIn.folder}.old`);
  renameSync(next, plugIn.folder);
  await project.until("the next version", () => ![before, undefined].includes(holderOf(project)));
  expect(holderOf(project)).not.toBe(before);
});
