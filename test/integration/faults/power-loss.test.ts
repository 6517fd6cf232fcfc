import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ensureLayout } from "../../../src/outbox/layout.ts";
import { writeIncoming } from "../../../src/outbox/write-incoming.ts";
import { unusedOrigin } from "../../support/receivers/http-receiver.ts";
import { describeWithParts } from "../../support/parts.ts";
import { rulesTo } from "../../support/project/running-dispatcher.ts";
import {
  cliPath,
  end,
  hookPath,
  payloadOf,
  temporaryProject,
  type Project,
} from "../../support/project/running-project.ts";

const tracer = "strace";

/** What a process asked of the disk, in its order, without the folder in front. */
async function traced(
  project: Project,
  script: string,
  args: string[],
  { input = "", threads = [] as string[] } = {},
): Promise<string[]> {
  const trace = join(project.home, "trace");
  const calls = "trace=fsync,rename,renameat,renameat2,unlink,unlinkat";
  const argv = [...threads, "-y", "-s", "400", "-e", calls, "-o", trace, process.execPath, script, ...args];
  const ended = await end(spawn(tracer, argv, { env: project.env, cwd: project.home }), input);
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  return readFileSync(trace, "utf8")
    .split(`${project.layout.root}/`)
    .join("")
    .split(project.layout.root)
    .join(".")
    .split("\n");
}

/** The lines that match, one after the other, with anything in between. */
function expectInOrder(lines: readonly string[], ...patterns: RegExp[]): void {
  let from = 0;
  for (const pattern of patterns) {
    const at = lines.findIndex((line, index) => index >= from && pattern.test(line));
    expect([String(pattern), at >= 0 ? "found" : lines.slice(from).join("\n")]).toEqual([String(pattern), "found"]);
    from = at + 1;
  }
}

describeWithParts("what must survive a power failure", [tracer], () => {
  it("a payload and its folder are on the disk before the hook in Node ends", async () => {
    const project = temporaryProject();
    project.writeRules(rulesTo("http://127.0.0.1:9/x"));
    const lines = await traced(project, hookPath, [], { input: payloadOf("Stop") });
    expectInOrder(
      lines,
      /fsync\(\d+<incoming\/\.tmp-/,
      /rename\w*\(.*incoming\/\.tmp-.*\.json/,
      /fsync\(\d+<incoming>\)/,
    );
  });

  it("deliveries and their folder are on the disk before their payloads go; a retry before it counts", async () => {
    const project = temporaryProject();
    project.writeRules(rulesTo(`${unusedOrigin}/x`));
    ensureLayout(project.layout);
    for (let index = 0; index < 3; index += 1) {
      const text = payloadOf("Stop", { session_id: `s${index}` });
      writeIncoming(project.layout, text, { agentId: "generic", nowMs: Date.now() + index });
    }
    const lines = await traced(project, cliPath, ["dispatch", "--until-idle"], { threads: ["-f"] });
    const placed = /rename\w*\(.*outbox\/\.tmp-.*outbox\/.*msg_/;
    const synced = /fsync\(\d+<outbox\/\d.*msg_/;
    const removed = /unlink\w*\(.*incoming\/\d.*\.json/;
    // Those that were placed while the disk was busy wait for it together.
    expectInOrder(lines, placed, synced, /fsync\(\d+<outbox>/, removed, removed, removed);
    expectInOrder(lines, removed, /fsync\(\d+<outbox\/\.tmp-/, placed, /fsync\(\d+<outbox>\)/);
    for (const [index, line] of lines.entries()) {
      if (!removed.test(line)) continue;
      const position = /incoming\/(\d+-[^.]+)/.exec(line)?.[1] ?? "none";
      const syncedBefore = lines.slice(0, index).filter((each) => synced.test(each) && each.includes(position));
      expect([position, syncedBefore.length]).toEqual([position, 1]);
    }
  });
});
