import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import {
  accepting,
  emptyBaseline,
  readBaseline,
  updateBaseline,
  withRemoved,
  writeBaseline,
} from "../../../src/wings/guard/baseline.ts";
import { hooks } from "../../../src/wings/guard/commands/hooks.ts";
import { HookWatch } from "../../../src/wings/guard/hook-watch.ts";
import { LaunchFinder } from "../../../src/wings/guard/launches/find.ts";
import { watchHooks } from "../../../src/wings/guard/watch.ts";
import { longestWaitMs } from "../../support/longest-wait.ts";
import { commandIo } from "../../support/project/command-io.ts";
import { startHttpReceiver } from "../../support/receivers/http-receiver.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";

it("what you have accepted, looked at or removed is taken down, once", async () => {
  const { dispatcher, writeRules } = prepareDispatcher();
  const { layout, tools } = dispatcher;
  const { home } = tools;
  writeRules({ channels: {}, rules: [{ name: "new", when: { event: "HookChanged" }, notify: ["desktop"] }] });
  await dispatcher.rereadRules();
  const put = (...commands: string[]): void => {
    mkdirSync(join(home, ".claude"), { recursive: true });
    const groups = commands.map((command) => ({ hooks: [{ type: "command", command }] }));
    writeFileSync(join(home, ".claude/settings.json"), JSON.stringify({ hooks: { Stop: groups } }));
  };
  const launches = () => new LaunchFinder(tools).look([], 0).flatMap((file) => file.launches);
  const now = tools.clock.now();
  writeBaseline(layout, emptyBaseline(now));
  const watch = new HookWatch(dispatcher);
  const overNow = (): string[] => watch.look(tools.clock.now()).outdated.map(({ event }) => event.session);
  const keyOf = (command: string): string => {
    const id = launches().find((launch) => launch.command === command)?.id ?? "";
    return readBaseline(layout)?.entries[id]?.told?.event ?? "not told";
  };

  for (const commands of [["one"], ["one", "two"], ["one", "two", "three"]]) {
    put(...commands);
    expect(watch.look(now)).toMatchObject({ hasNews: true, outdated: [] });
  }
  const keys = ["one", "two", "three"].map(keyOf);
  updateBaseline(layout, (current) => accepting(current, launches().slice(0, 1), now));
  expect(overNow()).toEqual([keys[0]]);
  put("one", "three");
  expect(overNow()).toEqual([keys[1]]);
  const { id = "" } = launches().find(({ command }) => command === "three") ?? {};
  updateBaseline(layout, (current) => {
    const entry = current.entries[id];
    return entry === undefined
      ? current
      : { ...current, entries: { ...current.entries, [id]: { ...entry, seen: now } } };
  });
  expect(overNow()).toEqual([keys[2]]);
  expect(overNow()).toEqual([]);

  put("one", "three", "four");
  expect(watch.look(now)).toMatchObject({ hasNews: true });
  const fourth = keyOf("four");
  expect(overNow()).toEqual([]);
  const four = launches().find(({ command }) => command === "four")?.id ?? "";
  // As `hookbell hooks --remove` does.
  put("one", "three");
  updateBaseline(layout, (current) => withRemoved(current, four, now));
  expect(overNow()).toEqual([fourth]);
});

it.each([
  ["goes on while no one has looked", [], 2],
  ["ends once you have looked at the list", [["--new"]], 1],
  ["ends with --accept", [["--accept", "--yes"]], 1],
])("an escalation %s", async (_how, commands, expected) => {
  const { dispatcher, writeRules, run, until, clock, journal } = prepareDispatcher();
  const { layout, tools, rulesFile } = dispatcher;
  const receiver = await startHttpReceiver();
  onTestFinished(receiver.close);
  const channel = { type: "webhook", url: `${receiver.origin}/w` };
  const when = { event: "HookChanged" };
  writeRules({
    channels: { desk: channel, phone: channel },
    rules: [{ name: "new", when, notify: ["desk"], escalate: [{ after: "2m", notify: ["phone"] }] }],
  });
  await dispatcher.rereadRules();
  writeBaseline(layout, emptyBaseline(clock.now()));
  mkdirSync(join(tools.home, ".claude"));
  const settings = { hooks: { Stop: [{ hooks: [{ type: "command", command: "one.sh" }] }] } };
  writeFileSync(join(tools.home, ".claude/settings.json"), JSON.stringify(settings));
  void run();
  const turnUntil = async (what: string, check: () => boolean): Promise<void> =>
    await until(what, () => {
      clock.turn(500);
      return check();
    });
  await turnUntil("the bell", () => receiver.requests.length === 1);
  const io = commandIo(tools.home, { clock, isTerminal: true, platform: "linux" });
  const places = { ...io.places, home: tools.home, stateDir: layout.root, rulesFile };
  for (const args of commands) expect(await hooks(args, { ...io, places })).toBe(0);
  const over = (): boolean => journal("attention").some(({ by }) => by === "answered");
  await turnUntil("the end of the two minutes", () => over() || receiver.requests.length === 2);
  expect(receiver.requests).toHaveLength(expected);
});

it.runIf(process.platform === "linux")(
  "where the system tells of changes, it looks once a minute until one is told",
  async () => {
    const { dispatcher, clock, writeRules } = prepareDispatcher();
    const { layout, tools } = dispatcher;
    writeRules({ channels: {}, rules: [] });
    await dispatcher.rereadRules();
    const settings = join(tools.home, ".claude/settings.json");
    mkdirSync(join(tools.home, ".claude"));
    writeBaseline(layout, emptyBaseline(clock.now()));
    let news = 0;
    const { service } = watchHooks({ dispatcher, wake: () => (news += 1), withdraw: () => {} });
    onTestFinished(async () => await service.stop?.("ended"));
    await service.start?.();
    expect(service.busy?.()).toBeUndefined();
    const untilNextLookIs = async (check: (inMs: number) => boolean, turnMs: number): Promise<unknown> =>
      await vi.waitUntil(
        () => {
          clock.turn(turnMs);
          return check((clock.nextAt() ?? NaN) - clock.now());
        },
        { timeout: longestWaitMs, interval: 5 },
      );
    for (const command of ["one.sh", "two.sh"]) {
      await untilNextLookIs((inMs) => inMs > 50_000, 500);
      const before = news;
      const hook = { hooks: { Stop: [{ hooks: [{ type: "command", command }] }] } };
      writeFileSync(settings, JSON.stringify(hook));
      await untilNextLookIs((inMs) => inMs <= 1500, 0);
      clock.turn(1500);
      await expect.poll(() => news, { timeout: longestWaitMs }).toBe(before + 1);
    }
    // Claude Code writes such a file when it starts.
    mkdirSync(join(tools.home, ".claude/sessions"));
    writeFileSync(join(tools.home, `.claude/sessions/${process.pid}.json`), "{}");
    await untilNextLookIs(() => service.busy?.() === "stay", 500);
  },
);
