// Hooks as [[hooks]] tables of a TOML file: what init adds goes again, and every other byte stays.
import { describe, expect, it } from "vitest";
import { getStaticTOMLValue, parseTOML } from "toml-eslint-parser";
import { bytes, ownCommand, textOf, uninstall, usualEvents, install, type Files } from "./install.ts";

const agent = "kimi-code";
const name = "config.toml";
const filesOf = (text: string): Files => ({ [name]: bytes(text) });
const after = (files: Files): string | undefined => textOf(files[name]);

interface Hook {
  event: string;
  command: string;
  matcher?: string;
  timeout?: number;
}
const hooksIn = (text: string | undefined): Hook[] =>
  (getStaticTOMLValue(parseTOML(text ?? "")) as { hooks?: Hook[] }).hooks ?? [];
const ownIn = (text: string | undefined): Hook[] => hooksIn(text).filter(({ command }) => command.includes("hook.cjs"));

const theirs = '[[hooks]]\nevent = "Stop"\ncommand = "say done"\n';
const shapes = {
  "an empty file": "",
  "blank lines": "\n\n",
  "settings with comments": '# mine\ndefault_model = "k" # yes\n\n[models."gpt-4.1"]\nprovider = "x"\n# end\n',
  "no line end at the end": 'a = 1\n[t]\nb = "c"',
  "line ends of Windows": 'a = 1\r\n[t]\r\nb = "c"\r\n',
  "hooks of others": `a = 1\n\n${theirs}\n[x]\ny = 1979-05-27T07:32:00Z\n`,
  "texts that look like hooks": 'a = """\n[[hooks]]\nevent = "Stop"\ncommand = "hook.cjs"\n"""\n',
};

describe("hooks in a TOML file", () => {
  it.each(Object.entries(shapes))("are added below %s, once for each event", (_what, text) => {
    const { files, plan } = install(agent, filesOf(text));
    expect(plan.problems).toEqual([]);
    expect(after(files)?.startsWith(text)).toBe(true);
    const own = ownIn(after(files));
    expect(own.map(({ event }) => event)).toEqual(usualEvents(agent));
    for (const hook of own) {
      const matcher = hook.event === "PreToolUse" ? { matcher: "^AskUserQuestion$" } : {};
      expect(hook).toEqual({ event: hook.event, ...matcher, command: ownCommand(agent), timeout: 10 });
    }
    expect(install(agent, files).plan).toMatchObject({ changes: [], problems: [], missing: [] });
  });

  it.each(Object.entries(shapes))("leave %s as it was", (_what, text) => {
    const installed = install(agent, filesOf(text));
    expect(after(uninstall(agent, installed.files, installed.records, installed.originals))).toBe(text);
  });

  it.each(Object.entries(shapes))("go without a trace after %s was edited around them", (_what, text) => {
    const installed = install(agent, filesOf(text));
    const ends = text.includes("\r\n") ? "\r\n" : "\n";
    const edited = `# new${ends}${after(installed.files)}${ends}[late]${ends}x = 1${ends}`;
    const left = after(uninstall(agent, filesOf(edited), installed.records));
    const closed = text === "" || text.endsWith("\n") ? text : `${text}\n`;
    expect(left).toBe(`# new${ends}${closed}${ends}[late]${ends}x = 1${ends}`);
  });

  it("are removed where the agent has written the file anew, without a record", () => {
    const { files } = install(agent, filesOf(theirs));
    const [first = "", ...blocks] = (after(files) ?? "").split("\n[[hooks]]\n");
    const mixed = [...blocks.map((block) => `[[hooks]]\n${block}`), first].join("\n");
    expect(after(uninstall(agent, filesOf(mixed), {}))).toBe(theirs);
  });

  it("follow an installation that has moved, keep a time limit, and are not doubled", () => {
    const old = `"/old/lib/node_modules/hookbell/dist/hook.cjs --agent kimi-code"`;
    const text = `[[hooks]]\nevent = "Stop"\ncommand = ${old} # mine\ntimeout = 3\n\n[[hooks]]\nevent = "Stop"\ncommand = ${old}\n`;
    const { files } = install(agent, filesOf(text));
    const stops = ownIn(after(files)).filter(({ event }) => event === "Stop");
    expect(stops).toEqual([{ event: "Stop", command: ownCommand(agent), timeout: 3 }]);
    expect(after(files)).toContain("# mine");
  });

  it("make the file where there is none, and take it away again", () => {
    const installed = install(agent, {});
    expect(ownIn(after(installed.files))).toHaveLength(usualEvents(agent).length);
    expect(after(uninstall(agent, installed.files, installed.records, installed.originals))).toBeUndefined();
  });

  it.each([
    ["an array in one line", 'a = 1\nhooks = [{ event = "Stop", command = "x" }]\n', /TOML allows none beside/, "2:1"],
    ["an empty array", "hooks = []\n", /TOML allows none beside/, "1:1"],
    ["a table", "[hooks]\na = 1\n", /TOML allows none beside/, "1:1"],
    ["a key that no hook has", `${theirs}typo = 1\n`, /"typo" may not be in a \[\[hooks\]\] table/, "4:1"],
    ["what is not TOML", "a = \n", /this is not TOML/, "2:1"],
    ["a byte order mark", "\uFEFFa = 1\n", /byte order mark/, undefined],
  ])("are not added to %s", (_what, text, message, at) => {
    const { plan } = install(agent, filesOf(text));
    const [problem] = plan.problems;
    expect(problem?.message).toMatch(message);
    expect(problem?.hint).not.toBe("");
    expect(at === undefined ? undefined : `${problem?.line}:${problem?.column}`).toBe(at);
    expect(plan.changes).toEqual([]);
  });

  it("stay where a key of the user's stands in their table", () => {
    const installed = install(agent, filesOf(""));
    const edited = filesOf(`${after(installed.files)}default_model = "k"\n`);
    expect(() => uninstall(agent, edited, installed.records)).toThrow(
      /default_model.* may not be in a \[\[hooks\]\] table/,
    );
  });
});
