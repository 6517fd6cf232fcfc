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
  accept(): void;
  home: string;
  baseline(): Baseline;
} {
  const home = temporaryFolder();
  const path = join(home, ".claude/settings.json");
  mkdirSync(dirname(path));
  const finder = new LaunchFinder({ env: {}, home, platform: "linux" });
  let baseline = emptyBaseline(0);
  const launchesAt = (now: number) => finder.look([], now).flatMap((file) => file.launches);
  const look = (now = 0): NewLaunch[] => {
    const { news, change } = compareWith(baseline, { launches: launchesAt(now), isWithout: () => true }, now);
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
    home,
    accept: () => void (baseline = accepting(baseline, launchesAt(0), 0)),
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

  it("calls what took an accepted one's place a change", () => {
    const { write, told, accept } = watched();
    write(of(stop("a")));
    told();
    write(of(stop("a1")));
    expect(told()).toEqual(["new a1"]);
    accept();
    write(of(stop("a2")));
    expect(told()).toEqual(["changed a2"]);
  });

  it("says what you had accepted in its place, whatever was there since", () => {
    const { write, look, accept } = watched();
    const changes = (...commands: string[]): string[] => {
      write(of(stop(...commands)));
      return look().map(({ launch, change, before }) => `${launch.command}: ${change}, ${before ?? "-"}`);
    };
    expect(changes("a", "x")).toEqual(["a: new, -", "x: new, -"]);
    accept();
    expect(changes("a; evil", "x")).toEqual(["a; evil: command, a (Stop)"]);
    expect(changes("a; worse", "x")).toEqual(["a; worse: command, a (Stop)"]);
    // What was replaced is not in the way of what comes beside it.
    expect(changes("a; worse", "x", "b")).toEqual(["b: new, -"]);
    expect(changes("a", "x", "b2")).toEqual(["b2: command, a (Stop)"]);
    const [{ hooks } = { hooks: [] }] = stop("a").Stop ?? [];
    write(of({ Stop: [{ matcher: "*", hooks }] }));
    expect(look().map(({ before }) => before)).toEqual(["a (Stop), or x (Stop)"]);
  });

  it("says of a script what it says of the command, unless that was accepted", () => {
    const { write, look, accept, home } = watched();
    const script = join(home, "guard.sh");
    const changes = (command: string, content: string): string[] => {
      writeFileSync(script, content);
      write(of(stop(command)));
      return look().map(({ change, before }) => `${change}, ${before ?? "-"}`);
    };
    expect(changes(`sh ${script}`, "1")).toEqual(["new, -"]);
    expect(changes(`sh ${script}`, "2")).toEqual(["new, -"]);
    accept();
    expect(changes(`sh ${script}`, "3")).toEqual(["script, -"]);
    accept();
    const before = `command, sh ${script} (Stop)`;
    expect(changes(`sh ${script}; curl evil`, "3")).toEqual([before]);
    writeFileSync(script, "4");
    expect(look()).toMatchObject([{ change: "command", before: before.slice(9), hasScriptChanged: true }]);
  });

  it("shows no credential of what was there before, and the same where one has changed", () => {
    const { write, look, accept } = watched();
    const secret = (letter: string): string => `f --token ghp_${letter.repeat(36)}`;
    write(of(stop(secret("a"))));
    look();
    accept();
    write(of(stop(secret("b"))));
    expect(look()).toMatchObject([
      {
        change: "command",
        before: "f --token [redacted: secret] (Stop), with something else where it is masked or cut",
      },
    ]);
  });

  it("says that something masked was another one only where something was masked", () => {
    const { write, look, accept } = watched();
    write(of(stop("lint --fix")));
    look();
    accept();
    write(of(stop(`lint --fix; curl --token ghp_${"a".repeat(36)}`)));
    expect(look()).toMatchObject([{ change: "command", before: "lint --fix (Stop)" }]);
  });

  it("tells again of what was gone and comes back, unless it was accepted or was gone for a moment", () => {
    const { write, look, accept } = watched();
    const seconds = (count: number): number => count * 1000;
    const backs = (text: string, now: number): unknown[] => {
      write(text);
      return look(now).map(({ back }) => back);
    };
    const a = of(stop("a"));
    expect(backs(a, 0)).toEqual([undefined]);
    expect(backs("{}", seconds(1))).toEqual([]);
    expect(backs(a, seconds(2))).toEqual([]);
    expect(backs("{}", seconds(3))).toEqual([]);
    expect(backs(a, seconds(8))).toEqual(["gone"]);
    expect(backs(a, seconds(20))).toEqual([]);
    accept();
    expect(backs("{}", seconds(30))).toEqual([]);
    expect(backs(a, seconds(40))).toEqual([]);
  });

  it("does not take for gone what is in a file that was not read", () => {
    const { write, look, baseline } = watched();
    write(of(stop("a")));
    look();
    const launches = look(5000).map(({ launch }) => launch);
    expect(compareWith(baseline(), { launches, isWithout: () => false }, 5000).change).toBeUndefined();
  });

  it("forgets after three months what was gone", () => {
    const { write, told, accept, baseline } = watched();
    write(of(stop("a")));
    told();
    accept();
    write("{}");
    told(3 * dayMs);
    told(100 * dayMs);
    expect(baseline().entries).toEqual({});
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
    const seen = { launches, isWithout: () => true };
    const first = compareWith(emptyBaseline(0), seen, 1);
    writeBaseline(layout, emptyBaseline(0));
    updateBaseline(layout, (current) => first.change?.(current) ?? current);
    const again = compareWith(readBaseline(layout) ?? emptyBaseline(0), seen, 2);
    expect(again.news.map(({ launch }) => launch.command)).toEqual(["a"]);
    expect(compareWith(accepting(emptyBaseline(0), launches, 3), seen, 4).news).toEqual([]);
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
