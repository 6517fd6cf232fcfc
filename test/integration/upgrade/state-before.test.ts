// The state folder as the build of commit fa423ef left it, with a hook script of that build.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { listDeliveries } from "../../../src/outbox/deliveries/deliveries.ts";
import { listIncoming } from "../../../src/outbox/incoming.ts";
import { startHttpReceiver, type HttpReceiver } from "../../support/receivers/http-receiver.ts";
import { runDispatcherOf } from "../../support/project/running-dispatcher.ts";
import { cliPath, end, payloadOf, temporaryProject, type Project } from "../../support/project/running-project.ts";
import { spawn } from "node:child_process";

const script = "hookbell-hook.sh";
const files = JSON.parse(readFileSync(new URL("state-before.json", import.meta.url), "utf8")) as Record<string, string>;

async function place(): Promise<{ project: Project; receiver: HttpReceiver }> {
  const receiver = await startHttpReceiver();
  const project = temporaryProject();
  for (const [name, text] of Object.entries(files)) {
    const path = join(project.layout.root, name);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const here = text
      .replaceAll("http://127.0.0.1:1", receiver.origin)
      .replace("'@NODE@'", `'${process.execPath}'`)
      .replace("'@DIST@'", `'${dirname(cliPath)}'`);
    writeFileSync(path, here, { mode: name === script ? 0o700 : 0o600 });
  }
  project.writeRules(readFileSync(join(project.layout.root, "rules.last-good.jsonc"), "utf8"));
  return { project, receiver };
}

function heardBy({ requests }: HttpReceiver): string[] {
  return requests
    .map(({ path, body }) => {
      const { session } = (JSON.parse(body) as { data: { event: { session: string } } }).data.event;
      return `${path} ${session}`;
    })
    .sort();
}

/** s2 and s3 wait for another try, s4 and s5 are payloads that no dispatcher has seen. */
const waiting = ["/accepting s4", "/ops s2", "/ops s3", "/ops s5", "/refusing s4"];

it.each([
  ["good", undefined],
  ["broken, so that its last good copy applies", "{ broken"],
])("what the version before has left is delivered, each once; the rules file is %s", async (_name, rules) => {
  const { project, receiver } = await place();
  if (rules !== undefined) project.writeRules(rules);
  expect(await project.command(["dispatch", "--until-idle"])).toMatchObject({ code: 0, stderr: "" });
  expect(heardBy(receiver)).toEqual(waiting);
  expect([listIncoming(project.layout), listDeliveries(project.layout, "outbox")]).toEqual([[], []]);
});

it("status, log and retry read it", async () => {
  const { project, receiver } = await place();
  const status = await project.command(["status", "--json"]);
  expect(JSON.parse(status.stdout)).toMatchObject({ incoming: 2, outbox: 2, dead: 1, rejected: 1 });
  const log = await project.command(["log", "--all"]);
  expect(log.stderr).toBe("");
  for (const words of ["All tests pass.", "permission to use Bash", "did not validate", "answered 503"])
    expect(log.stdout).toContain(words);
  runDispatcherOf(project);
  expect((await project.command(["retry", "--all"])).stdout).toContain("1 delivery put back in the queue");
  await project.until("all", () => receiver.requests.length === waiting.length + 1);
  expect(heardBy(receiver)).toEqual([...waiting, "/refusing s1"].sort());
});

it.runIf(process.platform !== "win32")("a hook that it installed works", async () => {
  const { project, receiver } = await place();
  const hook = [join(project.layout.root, script), "--agent", "claude-code"];
  const ended = await end(
    spawn("sh", hook, { env: project.env, cwd: project.home }),
    payloadOf("Stop", { session_id: "s6" }),
  );
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  await project.until("its event", () => heardBy(receiver).includes("/accepting s6"));
});
