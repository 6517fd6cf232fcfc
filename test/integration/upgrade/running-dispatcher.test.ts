// A dispatcher that stays ends when hookbell is upgraded, and the new version goes on: two packages, put in place as npm does.
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { version } from "../../../src/system/version.ts";
import { dispatcherPid } from "../../support/project/dispatcher-process.ts";
import { startHttpReceiver } from "../../support/receivers/http-receiver.ts";
import { rulesTo } from "../../support/project/running-dispatcher.ts";
import { end, payloadOf, temporaryProject, type Project } from "../../support/project/running-project.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const newVersion = "99.0.0";

/** The package as it is, or with another version: in a build of one, every chunk has another name. */
function packageOf(path: string, itsVersion: string): void {
  mkdirSync(path);
  for (const name of ["config", "hooks", "icons", "node_modules", "sounds", "web"]) {
    symlinkSync(join(root, name), join(path, name));
  }
  const dist = join(path, "dist");
  mkdirSync(dist);
  for (const name of ["chunks", "cli.js", "hook.cjs", "package.json"]) {
    cpSync(join(root, "dist", name), join(dist, name), { recursive: true });
  }
  if (itsVersion === version) return;
  const chunks = readdirSync(join(dist, "chunks"));
  const name = new RegExp(chunks.map((each) => each.replaceAll(".", "\\.")).join("|"), "g");
  for (const file of ["cli.js", "hook.cjs", ...chunks.map((each) => join("chunks", each))]) {
    const text = readFileSync(join(dist, file), "utf8");
    const other = text.replace(name, `${itsVersion}-$&`).replaceAll(`\`${version}`, `\`${itsVersion}`);
    rmSync(join(dist, file));
    writeFileSync(join(dist, file.replace(name, `${itsVersion}-$&`)), other, { mode: 0o755 });
  }
}

const startedVersions = (project: Project): unknown[] =>
  project.journal().flatMap(({ what, version: its }) => (what === "started" ? [its] : []));

it("hands over to the new version, and loses no event", async () => {
  const receiver = await startHttpReceiver();
  const project = temporaryProject();
  project.writeRules(rulesTo(`${receiver.origin}/x`));
  const place = join(project.home, "installed");
  const next = join(temporaryFolder(), "next");
  packageOf(place, version);
  packageOf(next, newVersion);
  const said = await end(spawn(process.execPath, [join(next, "dist", "cli.js"), "--version"]), "");
  expect(said).toMatchObject({ code: 0, stdout: `${newVersion}\n`, stderr: "" });

  const cli = join(place, "dist", "cli.js");
  const foreground = spawn(process.execPath, [cli, "dispatch"], { env: project.env, cwd: project.home, stdio: "pipe" });
  const ended = end(foreground, "");
  await project.until("its start", () => startedVersions(project).length === 1);
  const old = dispatcherPid(project);
  expect(old).toBe(foreground.pid);

  renameSync(place, join(project.home, "old"));
  renameSync(next, place);
  // The old one takes this in, although its files are gone.
  await end(
    spawn(process.execPath, [join(place, "dist", "hook.cjs")], { env: project.env, stdio: "pipe" }),
    payloadOf("Stop"),
  );
  await project.until("the event", () => receiver.requests.length === 1);
  const { code, stderr } = await ended;
  expect(code).toBe(0);
  expect(stderr).toContain("the new version goes on in the background");
  await project.until("the new one", () => startedVersions(project).length === 2);
  expect(startedVersions(project)).toEqual([version, newVersion]);
});
