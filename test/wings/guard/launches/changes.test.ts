// Whatever is done to the files of agents: where the result of a look would be another one, a folder that is watched tells of it.
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { expect, it, vi } from "vitest";
import { FolderWatches } from "../../../../src/system/files/watch.ts";
import { LaunchFinder } from "../../../../src/wings/guard/launches/find.ts";
import { slowRuns } from "../../../support/random/slow-runs.ts";
import { longestWaitMs } from "../../../support/longest-wait.ts";

const hooks = (command: string): string =>
  JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: "command", command }] }] } });
const skill = (command: string): string =>
  `---\nname: x\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: ${command}\n---\n`;
const plugIns = (home: string): string =>
  JSON.stringify({ plugins: { "one@m": [{ installPath: join(home, ".claude/plugins/cache/one") }] } });

const files = [
  ".claude/settings.json",
  ".claude/plugins/cache/one/hooks/hooks.json",
  "work/shop/.claude/settings.json",
  "work/shop/scripts/check.sh",
  "work/shop/web/.claude/skills/x/SKILL.md",
  "elsewhere/settings.json",
];
const folders = [".claude", ".claude/plugins/cache", "work/shop", "work/shop/.claude", "work/shop/web/.claude/skills"];

const file = fc.constantFrom(...files);
const folder = fc.constantFrom(...folders);
const act = fc.oneof(
  fc.record({ what: fc.constantFrom("write", "append", "replace", "remove"), path: file }),
  fc.record({ what: fc.constantFrom("remove", "move away", "move back", "make anew", "link elsewhere"), path: folder }),
  fc.record({ what: fc.constantFrom("link elsewhere"), path: file }),
  fc.record({
    what: fc.constantFrom("list plug-ins", "forget plug-ins"),
    path: fc.constant(".claude/plugins/installed_plugins.json"),
  }),
);

// Elsewhere a dispatcher looks every 1.5 seconds instead.
it.runIf(process.platform === "linux")("what a look would find is told by the folders it names", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 50, size: "max" }), async (acts) => {
      const home = mkdtempSync(join(tmpdir(), "hookbell-test-"));
      let isTold = false;
      const watches = new FolderWatches(() => {
        isTold = true;
      });
      try {
        mkdirSync(join(home, "work/shop"), { recursive: true });
        const projects = [join(home, "work/shop"), join(home, "work/shop/web")];
        const machine = { env: {}, home, platform: process.platform, systemRoot: join(home, "system") };
        const finder = new LaunchFinder(machine);
        const settle = (): void => {
          // Nothing else writes here, so what changed just now has not changed since.
          const soon = Date.now() + 10_000;
          const areWatched = (): boolean => {
            const changes = finder.changes();
            return changes !== undefined && watches.set(changes);
          };
          do finder.look(projects, soon);
          while (!areWatched());
        };
        const idsNow = (): string[] =>
          new LaunchFinder(machine).look(projects, Date.now()).flatMap(({ launches }) => launches.map(({ id }) => id));
        settle();
        for (const [index, each] of acts.entries()) {
          const before = idsNow();
          perform(home, each, index);
          if (String(idsNow()) !== String(before))
            await vi.waitUntil(() => isTold, { timeout: longestWaitMs, interval: 1 });
          // What has happened until now is told in one turn.
          await setImmediate();
          while (isTold) {
            isTold = false;
            settle();
            await setImmediate();
          }
          const kept = finder
            .look(projects, Date.now() + 10_000)
            .flatMap(({ launches }) => launches.map(({ id }) => id));
          expect(kept).toEqual(idsNow());
        }
      } finally {
        watches.close();
        rmSync(home, { recursive: true, force: true });
      }
    }),
    { numRuns: slowRuns(60) },
  );
});

/** As people and programs do it. What cannot be done at this moment is left out. */
function perform(home: string, { what, path: name }: { what: string; path: string }, index: number): void {
  const path = join(home, name);
  const aside = join(home, "aside", name.replaceAll("/", "-"));
  const text = name.endsWith(".md")
    ? skill(`${index}.sh`)
    : name.endsWith(".sh")
      ? `echo ${index}\n`
      : hooks(`sh ./scripts/check.sh ${index}`);
  const put = (at: string): void => {
    mkdirSync(dirname(at), { recursive: true });
    writeFileSync(at, text);
  };
  try {
    if (what === "write") put(path);
    else if (what === "append") appendFileSync(path, "\n ");
    else if (what === "replace") {
      put(`${path}.new`);
      renameSync(`${path}.new`, path);
    } else if (what === "remove") rmSync(path, { recursive: true });
    else if (what === "move away") {
      mkdirSync(dirname(aside), { recursive: true });
      renameSync(path, aside);
    } else if (what === "move back") renameSync(aside, path);
    else if (what === "make anew") {
      if (existsSync(path)) rmSync(path, { recursive: true });
      for (const each of files.filter((below) => below.startsWith(`${name}/`)))
        perform(home, { what: "write", path: each }, index);
    } else if (what === "link elsewhere") {
      const target = join(home, "elsewhere", name.endsWith("json") ? "settings.json" : `folder-${index % 2}`);
      if (!existsSync(target)) {
        if (name.endsWith("json")) put(target);
        else put(join(target, "settings.json"));
      }
      rmSync(path, { recursive: true, force: true });
      symlinkSync(target, path);
    } else if (what === "list plug-ins") {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, plugIns(home));
    } else rmSync(path);
  } catch {
    // There is no such file now, or a file is where a folder would be.
  }
}
