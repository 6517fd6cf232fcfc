import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  accepting,
  type Baseline,
  compareWith,
  emptyBaseline,
  type NewLaunch,
  readBaseline,
  updateBaseline,
  writeBaseline,
} from "../../../src/wings/guard/baseline.ts";
import { LaunchFinder } from "../../../src/wings/guard/launches/find.ts";
import { createChance } from "../../support/random/chance.ts";
import { temporaryFolder, temporaryState } from "../../support/project/temporary-state.ts";

const dayMs = 86_400_000;

/** Settings of Claude Code in a home of their own, and what a watcher would tell of each look. */
function watched(): {
  write(text: string, mode?: number): void;
  look(now?: number): NewLaunch[];
  told(now?: number): string[];
  baseline(): Baseline;
} {
  const home = temporaryFolder();
  const path = join(home, ".claude/settings.json");
  mkdirSync(dirname(path));
  const finder = new LaunchFinder({ env: {}, home, platform: "linux" });
  let baseline = emptyBaseline(0);
  const look = (now = 0): NewLaunch[] => {
    const launches = finder.look([], now).flatMap((file) => file.launches);
    const { news, change } = compareWith(baseline, launches, now);
    const next = change?.(baseline) ?? baseline;
    const entries = { ...next.entries };
    for (const { launch } of news) {
      const entry = entries[launch.id];
      if (entry !== undefined) entries[launch.id] = { ...entry, told: { at: now, event: "e" } };
    }
    baseline = { ...next, entries };
    return news;
  };
  return {
    write(text, mode = 0o600) {
      writeFileSync(path, text);
      chmodSync(path, mode);
    },
    look,
    told: (now) => look(now).map(({ launch, change }) => `${change === "new" ? "new" : "changed"} ${launch.command}`),
    baseline: () => baseline,
  };
}

type Hooks = Record<string, { matcher?: string; hooks: { type: string; command: string; timeout?: number }[] }[]>;

const of = (hooks: Hooks, more: object = {}): string => JSON.stringify({ ...more, hooks }, undefined, 2);
const stop = (...commands: string[]): Hooks => ({
  Stop: [{ hooks: commands.map((command) => ({ type: "command", command })) }],
});

describe("a look", () => {
  it("tells of each new command once", () => {
    const { write, told } = watched();
    write(of(stop("a")));
    expect(told()).toEqual(["new a"]);
    expect(told()).toEqual([]);
    write(of(stop("a", "b")));
    expect(told()).toEqual(["new b"]);
  });

  it("calls what took another one's place a change", () => {
    const { write, told } = watched();
    write(of(stop("a")));
    told();
    write(of(stop("a2")));
    expect(told()).toEqual(["changed a2"]);
  });

  it("says what was in its place, and of several what may have been", () => {
    const { write, look } = watched();
    const changes = (hooks: Hooks): string[] => {
      write(of(hooks));
      return look().map(({ launch, change, before }) => `${launch.command}: ${change}, ${before ?? "-"}`);
    };
    expect(changes(stop("a"))).toEqual(["a: new, -"]);
    expect(changes(stop("a2"))).toEqual(["a2: command, a (Stop)"]);
    // What was replaced is not in the way of what comes beside it, also once it was there again.
    expect(changes(stop("a2", "b"))).toEqual(["b: new, -"]);
    expect(changes(stop("a", "b"))).toEqual([]);
    expect(changes(stop("a", "b2"))).toEqual(["b2: command, b (Stop), or a2 (Stop)"]);
    expect(changes(stop("a3", "b3"))).toEqual(["a3", "b3"].map((each) => `${each}: command, b2 (Stop), or a (Stop)`));
    expect(changes(stop("c", "d", "e"))).toEqual(
      ["c", "d", "e"].map((each) => `${each}: command, a3 (Stop), or b3 (Stop)`),
    );
    const [{ hooks } = { hooks: [] }] = stop("e").Stop ?? [];
    expect(changes({ Stop: [{ matcher: "x", hooks }] })).toEqual(["e: command, c (Stop), or d (Stop), or e (Stop)"]);
    const secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
    changes(stop(`f ${secret}`));
    expect(changes(stop("g"))).toEqual(["g: command, f [redacted: GitHub token] (Stop)"]);
  });

  it("tells nothing of what has gone and comes back, and forgets it after three months", () => {
    const { write, told } = watched();
    write(of(stop("a")));
    told();
    write("{}");
    expect(told(dayMs)).toEqual([]);
    write(of(stop("a")));
    expect(told(2 * dayMs)).toEqual([]);
    write("{}");
    told(3 * dayMs);
    told(100 * dayMs);
    write(of(stop("a")));
    expect(told(101 * dayMs)).toEqual(["new a"]);
  });

  it("tells of a matcher, an event, arguments and variables, since they decide what runs and when", () => {
    const { write, told } = watched();
    const one = (more: object, matcher?: string): string =>
      JSON.stringify({
        hooks: {
          Stop: [
            { ...(matcher === undefined ? {} : { matcher }), hooks: [{ type: "command", command: "a", ...more }] },
          ],
        },
      });
    write(one({}));
    expect(told()).toEqual(["new a"]);
    for (const text of [
      one({}, "Bash"),
      one({ args: ["-x"] }),
      one({ env: { NODE_OPTIONS: "--require=x" } }),
      one({ shell: "bash" }),
    ]) {
      write(text);
      expect(told()).toHaveLength(1);
    }
    write(of({ SessionStart: stop("a").Stop ?? [] }));
    expect(told()).toEqual(["new a"]);
  });

  it("tells nothing of an empty list of variables or arguments", () => {
    const { write, told } = watched();
    write(of(stop("a")));
    told();
    write(
      JSON.stringify({
        hooks: { Stop: [{ hooks: [{ type: "command", command: "a", env: {}, args: [], cwd: null }] }] },
      }),
    );
    expect(told()).toEqual([]);
  });

  it("tells again of what was seen by a process that ended before it could tell", () => {
    const layout = temporaryState();
    const home = temporaryFolder();
    mkdirSync(join(home, ".claude"));
    writeFileSync(join(home, ".claude/settings.json"), of(stop("a")));
    const launches = new LaunchFinder({ env: {}, home, platform: "linux" })
      .look([], 0)
      .flatMap((file) => file.launches);
    const first = compareWith(emptyBaseline(0), launches, 1);
    writeBaseline(layout, emptyBaseline(0));
    updateBaseline(layout, (current) => first.change?.(current) ?? current);
    const again = compareWith(readBaseline(layout) ?? emptyBaseline(0), launches, 2);
    expect(again.news.map(({ launch }) => launch.command)).toEqual(["a"]);
    expect(compareWith(accepting(emptyBaseline(0), launches, 3), launches, 4).news).toEqual([]);
  });
});

describe("the file", () => {
  it("is no one else's after each kind of change that hookbell makes", () => {
    const layout = temporaryState();
    writeBaseline(layout, emptyBaseline(1));
    const entry = { told: { event: "e", at: 3 }, lastSeen: 2, slot: "s", firstSeen: 2, accepted: undefined, seen: 9 };
    updateBaseline(layout, (current) => ({ rules: undefined, ...current, entries: { b: entry, a: entry } }));
    updateBaseline(layout, (current) => ({ ...current, entries: { ...current.entries, c: { ...entry, seen: 1 } } }));
    expect(readBaseline(layout)?.isForged).toBe(false);
  });

  it("is written and read, and shows whether another program has written it", () => {
    const layout = temporaryState();
    expect(readBaseline(layout)).toBeUndefined();
    writeBaseline(layout, { ...emptyBaseline(5), rules: "r" });
    expect(readBaseline(layout)).toEqual({ since: 5, entries: {}, rules: "r", isForged: false });
    const path = join(layout.root, "hooks.json");
    const entry = '"entries":{"0123456789":{"slot":"s","firstSeen":1,"lastSeen":1,"accepted":1}}';
    writeFileSync(path, readFileSync(path, "utf8").replace('"entries":{}', entry));
    expect(readBaseline(layout)?.isForged).toBe(true);
    writeFileSync(path, "torn");
    expect(readBaseline(layout)).toBeUndefined();
  });
});

describe("a thousand changes", () => {
  it("ring once for each new command, and never for order, formatting, permissions or times", () => {
    const random = createChance(44);
    const below = (end: number): number => Math.floor(random() * end);
    const oneOf = <T>(list: readonly T[]): T => list[below(list.length)] as T;
    const { write, told } = watched();
    const hooks: Hooks = { Stop: [], SessionStart: [], PreToolUse: [] };
    let nth = 0;
    let news = 0;
    write(of(hooks));
    told();
    for (let change = 0; change < 1000; change += 1) {
      const kind = below(6);
      const text = ((): string => {
        if (kind === 0) {
          const command = `tool-${(nth += 1)} run`;
          const event = oneOf(Object.keys(hooks));
          hooks[event]?.push({
            matcher: oneOf(["", "Bash", "Edit|Write"]),
            hooks: [{ type: "command", command, timeout: below(60) }],
          });
          news += 1;
          return of(hooks);
        }
        const reordered = Object.fromEntries(
          Object.entries(hooks)
            .toSorted(() => random() - 0.5)
            .map(([event, groups]) => [event, groups.toSorted(() => random() - 0.5)]),
        );
        if (kind === 1) return of(reordered, { model: `m${change}` });
        if (kind === 2) return JSON.stringify({ hooks, permissions: { allow: [`x${change}`] } });
        if (kind === 3) return `\uFEFF${of(hooks).replaceAll("\n", "\r\n")}\r\n`;
        if (kind === 4)
          return of(mapHandlers(hooks, (handler) => ({ timeout: below(99), ...handler, statusMessage: `s${change}` })));
        return of(mapHandlers(hooks, ({ command, type }) => ({ command, type })));
      })();
      const before = news;
      write(text, oneOf([0o600, 0o644, 0o700]));
      const heard = told();
      const expected = kind === 0 ? 1 : 0;
      expect({ change, kind, heard: heard.length }).toEqual({ change, kind, heard: expected });
      expect(news).toBe(before);
    }
    expect(news).toBeGreaterThan(100);
  });
});

function mapHandlers(hooks: Hooks, change: (handler: { type: string; command: string }) => object): Hooks {
  return Object.fromEntries(
    Object.entries(hooks).map(([event, groups]) => [
      event,
      groups.map((group) => ({ ...group, hooks: group.hooks.map(change) as typeof group.hooks })),
    ]),
  );
}
