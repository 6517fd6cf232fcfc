// `npm start`: four events arrive, a question is answered, and a server of one's own counts a week; nothing is left behind.
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { end } from "../support/project/running-project.ts";
import { temporaryFolder } from "../support/project/temporary-state.ts";

const demoPath = resolve(import.meta.dirname, "../../dist/demo.mjs");

it("the demo ends with a usage table of a server of one's own", async () => {
  const folder = temporaryFolder();
  const env = { ...process.env, TMPDIR: folder };
  const { code, stdout, stderr } = await end(spawn(process.execPath, [demoPath], { env }), "");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout.match(/the hook took/g)).toHaveLength(3);
  expect(stdout).toMatch(
    /with \[Allow\] \[Deny\]; a tap on Allow\n +the hook answers Claude Code: .*"behavior":"allow"/,
  );
  expect(stdout).toMatch(/^ {2}Tokens and credits: \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d \(UTC\)/m);
  expect(stdout).toMatch(/^ {2}All days +238,525 /m);
  expect(stdout).toMatch(/run: node dist\/cli\.js init\n$/);
  // Sound players leave folders of their own.
  expect(readdirSync(folder).filter((name) => name.startsWith("hookbell"))).toEqual([]);
});
