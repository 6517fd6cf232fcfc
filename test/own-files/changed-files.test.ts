// Which of its own files hookbell finds changed, and that it reads them only when they have changed.
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findChangedOwnFiles } from "../../src/install/changed-own-files.ts";
import { putHookScript, scriptText } from "../../src/install/hook-script.ts";
import { recordStore, withInstallation } from "../../src/install/record/record.ts";
import { layoutOf, type Layout } from "../../src/outbox/layout.ts";
import {
  changedByAnother,
  describeChanged,
  findChangedFiles,
  findChangedScripts,
  judgeScripts,
} from "../../src/own-files/changed-files.ts";
import { watchReading } from "../../src/system/files/read.ts";
import { sha256 } from "../../src/system/crypto.ts";
import { hookSetups } from "../../src/agents/hook-setups.ts";
import { ownFileText } from "../../src/install/command/owner.ts";
import { formatLocalMinute } from "../../src/model/figures/duration.ts";
import { temporaryFolder } from "../support/project/temporary-state.ts";

function installed(): { layout: Layout; script: string; installation: Parameters<typeof putHookScript>[0] } {
  const root = join(temporaryFolder(), "state");
  const script = join(root, "hookbell-hook.sh");
  const installation = { nodePath: "/n/bin/node", hookPath: "/p/dist/hook.cjs", scriptPath: script };
  const store = recordStore(root);
  store.write(withInstallation(store.read(), installation));
  putHookScript(installation);
  return { layout: layoutOf(root), script, installation };
}

const judgementOf = (layout: Layout): string | undefined => judgeScripts(layout)[0]?.judgement;

describe("a hook script in the state folder", () => {
  it("is found changed when it is, and at which time", () => {
    const { layout, script } = installed();
    expect([judgementOf(layout), findChangedScripts(layout)]).toEqual(["current", []]);
    const text = readFileSync(script, "utf8");
    writeFileSync(script, `${text}id\n`);
    const at = new Date("2026-11-29T14:02:31Z");
    utimesSync(script, at, at);
    const what = "hookbell's hook script";
    expect(findChangedScripts(layout)).toEqual([{ path: script, what, changedAtMs: at.getTime() }]);
    writeFileSync(script, text);
    expect(findChangedScripts(layout)).toEqual([]);
  });

  it("is not found changed when it is gone, or only its permissions are others (posix)", () => {
    const { layout, script } = installed();
    chmodSync(script, 0o755);
    expect(judgementOf(layout)).toBe("current");
    rmSync(script);
    expect([judgementOf(layout), findChangedScripts(layout)]).toEqual([undefined, []]);
  });

  it("is found changed when something else is in its place", () => {
    const { layout, script } = installed();
    rmSync(script);
    mkdirSync(script);
    expect(judgementOf(layout)).toBe("changed");
    rmSync(script, { recursive: true });
    writeFileSync(script, "#".repeat(2 * 1024 * 1024));
    expect(judgementOf(layout)).toBe("changed");
  });

  it("is judged by what a link leads to (posix)", () => {
    const { layout, script } = installed();
    renameSync(script, `${script}.real`);
    symlinkSync(`${script}.real`, script);
    expect(judgementOf(layout)).toBe("current");
    writeFileSync(`${script}.real`, "id\n");
    expect(judgementOf(layout)).toBe("changed");
  });

  it("is not read again while it is as it was", () => {
    const { layout, script } = installed();
    const read: string[] = [];
    watchReading({ onOpened: (path) => void read.push(path) });
    try {
      for (let count = 0; count < 3; count += 1) expect(findChangedScripts(layout)).toEqual([]);
      expect(read.filter((path) => path === script)).toHaveLength(1);
      const seen = read.length;
      findChangedScripts(layout);
      expect(read).toHaveLength(seen);
      // A program can set the time of the file, and leave its length: the time of its inode tells.
      const text = readFileSync(script, "utf8");
      const at = new Date("2026-11-29T14:02:31Z");
      utimesSync(script, at, at);
      findChangedScripts(layout);
      writeFileSync(script, text.replace("umask 077", "umask 000"));
      utimesSync(script, at, at);
      expect(findChangedScripts(layout)).toHaveLength(1);
    } finally {
      watchReading({ onOpened: () => {} });
    }
  });

  it("may have the paths of each init that is on record, and Node's of any while none is", () => {
    const { layout, script, installation } = installed();
    const store = recordStore(layout.root);
    const moved = { ...installation, nodePath: "/m/node", hookPath: "/q/dist/hook.cjs" };
    writeFileSync(script, scriptText(moved));
    expect(judgementOf(layout)).toBe("changed");
    store.write(withInstallation(store.read(), moved));
    expect(judgementOf(layout)).toBe("current");
    writeFileSync(script, scriptText(installation));
    expect(judgementOf(layout)).toBe("current");
    // As 1.0.0-rc.1 writes its record.
    store.write({ hookPaths: [installation.hookPath], files: [] });
    writeFileSync(script, scriptText({ ...installation, nodePath: "/any/node" }));
    expect(judgementOf(layout)).toBe("current");
    writeFileSync(script, scriptText({ ...installation, nodePath: "node" }));
    expect(judgementOf(layout)).toBe("changed");
  });
});

describe("a file of hookbell's in an agent's folder", () => {
  const target = (folder: string) => ({ id: "opencode", folder, hookSetup: hookSetups.opencode });
  function withPlugIn(): { layout: Layout; path: string; text: string; folder: string } {
    const { layout, script } = installed();
    const folder = temporaryFolder();
    const [file] = hookSetups.opencode.ownFiles ?? [];
    if (file === undefined) throw new Error("no plug-in");
    const path = join(folder, file.name("linux"));
    const argv = [script, "--agent", "opencode"];
    const text = ownFileText(file, { argv, platform: "linux", events: ["session.idle"] });
    mkdirSync(join(path, ".."));
    writeFileSync(path, text);
    return { layout, path, text, folder };
  }
  const written = { addedEvents: [], hasAddedHooksKey: false, hasMadeFolder: false };

  it("is found changed by what init has recorded, whatever its mark says", () => {
    const { layout, path, text, folder } = withPlugIn();
    const store = recordStore(layout.root);
    const record = { ...written, path, agent: "opencode", writtenHash: sha256(text) };
    store.write({ ...store.read(), files: [record] });
    const found = () => findChangedOwnFiles(layout, [target(folder)], "linux");
    expect([found(), findChangedFiles(layout)]).toEqual([[], []]);
    const [file] = hookSetups.opencode.ownFiles ?? [];
    const argv = ["/tmp/other", "--agent", "opencode"];
    writeFileSync(path, file === undefined ? "" : ownFileText(file, { argv, platform: "linux", events: [] }));
    const changed = [{ path, what: "hookbell's plug-in for opencode" }];
    expect(found()).toMatchObject(changed);
    expect(findChangedFiles(layout)).toMatchObject(changed);
    expect(findChangedFiles(layout, "opencode")).toMatchObject(changed);
    expect(findChangedFiles(layout, "pi")).toEqual([]);
    rmSync(path);
    expect(found()).toEqual([]);
  });

  it("is found changed by its mark where there is no record, and is the user's own without a mark", () => {
    const { layout, path, text, folder } = withPlugIn();
    const found = () => findChangedOwnFiles(layout, [target(folder)], "linux");
    expect(found()).toEqual([]);
    writeFileSync(path, `${text}\n// mine\n`);
    expect(found()).toMatchObject([{ path }]);
    writeFileSync(path, "export const mine = 1;\n");
    expect(found()).toEqual([]);
  });

  it("has the name by which the dispatcher finds it, if hooks of its agent wait for answers", () => {
    for (const { ownFiles = [], events } of Object.values(hookSetups)) {
      if (Object.values(events).every(({ isAnswerable }) => isAnswerable === undefined)) continue;
      for (const file of ownFiles) expect(file.name("linux")).toMatch(/\/hookbell\.js$/);
    }
  });
});

it("a change is told with the minute, and the day if that was another one", () => {
  const now = new Date(2026, 10, 29, 15, 0).getTime();
  const at = new Date(2026, 10, 29, 14, 2).getTime();
  expect(describeChanged({ what: "it", path: "", changedAtMs: at }, now)).toBe(
    `it was changed by another program at ${formatLocalMinute(at)}`,
  );
  const dayMs = 24 * 60 * 60_000;
  expect(changedByAnother({ changedAtMs: at - dayMs }, now)).toBe("changed by another program on 2026-11-28 at 14:02");
});
