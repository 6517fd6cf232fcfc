// The events of a sandbox without network, by one file: the script in several shells, and the real dispatcher.
import { chmodSync, existsSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { listDeliveries } from "../../../../src/outbox/deliveries/deliveries.ts";
import { readStatus } from "../../../../src/wings/remote/remotes.ts";
import { startHttpReceiver } from "../../../support/receivers/http-receiver.ts";
import { stopPayload } from "../../../support/faults/remote-storm.ts";
import { shellsHere, silent, stayingProject } from "../../../support/project/posix-hook.ts";
import { findPart } from "../../../support/parts.ts";
import { rulesTo } from "../../../support/project/running-dispatcher.ts";
import { temporaryProject } from "../../../support/project/running-project.ts";
import { addBox, gotFromBox, recordingProject } from "../../../support/project/spool-box.ts";

const linesOf = (spool: string): string[] =>
  readFileSync(spool, "utf8")
    .split("\n")
    .filter((line) => line !== "");

it("tells of a sandbox's events by this machine's rules, with its name in front, and leaves the file when it is removed (posix)", async () => {
  const receiver = await startHttpReceiver();
  onTestFinished(receiver.close);
  const project = temporaryProject();
  project.writeRules(rulesTo(`${receiver.origin}/x`));
  const { folder, spool, hook } = await addBox(project);
  await project.until("a status", () => readStatus(project.layout, "box")?.what === "waiting");
  expect((await project.command(["remote", "list"])).stdout).toContain("no such file yet");
  expect(await hook(stopPayload("s1", "done"))).toEqual(silent);
  await project.until("a message", () => receiver.requests.length > 0);
  const { data } = JSON.parse(receiver.requests[0]?.body ?? "") as { data: { event: Record<string, unknown> } };
  expect(data.event).toMatchObject({ host: "box", session: "box:s1", cwd: "box:/srv/shop" });
  await project.until("the time of the event", () => readStatus(project.layout, "box")?.lastAt !== undefined);
  const list = async () => (await project.command(["remote", "list"])).stdout;
  expect(await list()).toMatch(/box +file \S+ +last event \S+ ago/);

  expect(await project.command(["remote", "remove", "box", "--yes"])).toMatchObject({ code: 0, stderr: "" });
  expect([existsSync(spool), existsSync(join(folder, "hookbell-spool.sh"))]).toEqual([true, false]);
  expect(await list()).toContain("no remotes");
});

it("sends a summary of a CI job's file that is put there later", async () => {
  const receiver = await startHttpReceiver();
  onTestFinished(receiver.close);
  const project = temporaryProject();
  project.writeRules(rulesTo(`${receiver.origin}/x`, { summary: 5 }));
  const { spool } = await addBox(project);
  const hourAgo = Math.trunc(Date.now() / 1000) - 3600;
  const lines = Array.from(
    { length: 12 },
    (_, index) =>
      `${hourAgo + index}000-000000000001-7-0.claude-code.Stop.-.json ${stopPayload(`s${index}`, `turn ${index}`)}\n`,
  );
  writeFileSync(spool, lines.join(""));
  await project.until("all events", () => gotFromBox(project).length === 12);
  await project.until("a message", () => receiver.requests.length > 0);
  await project.until("the end of all", () => listDeliveries(project.layout, "outbox").length === 0);
  expect(receiver.requests).toHaveLength(1);
});

const here = shellsHere().filter(([program]) => findPart(program) !== undefined);

it.each(here)("hooks in %s that run at once do not mix their lines", async (_, argv) => {
  const { spool, hook } = await addBox(recordingProject());
  const texts = Array.from({ length: 20 }, (_each, index) => `${index} ${"x".repeat(100_000)}`);
  const ended = await Promise.all(texts.map((text) => hook(`{\n"a":\r\n${JSON.stringify(text)}}\n`, argv)));
  expect(ended).toEqual(texts.map(() => silent));
  const lines = linesOf(spool);
  expect(lines.every((line) => /^\d{13}-\d{12}-\d+-\d+\.claude-code\.-\.-\.json \{/.test(line))).toBe(true);
  const kept = lines.map((line) => (JSON.parse(line.slice(line.indexOf(" "))) as { a: string }).a);
  expect(kept.toSorted()).toEqual(texts.toSorted());
});

it.each(here)("the hook in %s says why it cannot keep an event, and never with 2", async (_, argv) => {
  const project = recordingProject();
  const { folder, spool, hook } = await addBox(project);
  writeFileSync(spool, "");
  truncateSync(spool, 64 * 1024 * 1024);
  const full = await hook("{}", argv);
  expect(full).toMatchObject({ code: 1, stdout: "" });
  expect(full.stderr).toMatch(/^hookbell: cannot keep the payload: .* has 64 MiB.*\n$/);
  expect(readFileSync(`${spool}.dropped`, "utf8")).toBe(".");
  expect(statSync(spool).size).toBe(64 * 1024 * 1024);
  const doctor = await project.builtCommand(["doctor"]);
  expect(doctor.stdout).toContain(`${spool} is full`);
  expect(doctor.stdout).toMatch(/1 event.* dropped/);
  // The only agents are on the remote.
  expect(doctor.stdout).not.toContain("no coding agent was found");

  const elsewhere = await hook("{}", argv, { HOOKBELL_SPOOL: join(folder, "none", "spool") });
  expect(elsewhere).toMatchObject({ code: 1, stdout: "" });
  expect(elsewhere.stderr).toMatch(/^hookbell: cannot keep the payload in [^\n]*\n$/);
  expect(await hook("{}", argv, { HOOKBELL_SPOOL: folder })).toMatchObject({ code: 1, stdout: "" });
  expect(await hook("{}", argv, { HOOKBELL_SPOOL: join(folder, "none"), HOOKBELL_DISABLE: "1" })).toEqual(silent);
});

it("needs a name and a folder, shows settings for an agent, and updates the script", async () => {
  const project = stayingProject();
  const add = (...args: string[]) => project.command(["remote", "add", ...args]);
  expect(await add("box/spool", "--by", "file")).toMatchObject({ code: 64 });
  expect((await add("box/ci-events", "--by", "file")).stderr).toContain("there is no folder");
  const { folder } = await addBox(project);
  const script = join(folder, "hookbell-spool.sh");
  writeFileSync(script, "old");
  chmodSync(script, 0o600);
  const again = await add("box", "--agent", "claude-code");
  expect(again).toMatchObject({ code: 0, stderr: "" });
  if (process.platform !== "win32") expect(statSync(script).mode & 0o777).toBe(0o755);
  const settings = JSON.parse(/\n\{\n[^]*?\n\}\n/.exec(again.stdout)?.[0] ?? "") as { hooks: Record<string, unknown> };
  expect(settings.hooks.Stop).toEqual([
    { hooks: [{ type: "command", command: "/PATH/THERE/hookbell-spool.sh --agent claude-code", timeout: 10 }] },
  ]);
  writeFileSync(script, "changed by the person");
  expect(await project.command(["remote", "remove", "box", "--yes"])).toMatchObject({ code: 0 });
  expect(readFileSync(script, "utf8")).toBe("changed by the person");
});
