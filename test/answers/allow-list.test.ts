import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isOnList, parseEntry, sessionSuggestion } from "../../src/answers/allow-list.ts";
import { everyRow } from "../support/rows.ts";

describe("the user's list", () => {
  it("allows what its entry names, and nothing else", () =>
    everyRow(
      [
        ["Edit", "Edit", { file_path: "/p/a.ts" }, true],
        ["Edit", "EditAll", {}, false],
        ["mcp__github__*", "mcp__github__list", {}, true],
        ["mcp__github__*", "mcp__gitlab__list", {}, false],
        ["Bash", "Bash", { command: "rm -rf /" }, true],
        ["Bash(npm test*)", "Bash", { command: "npm test -- --run a" }, true],
        ["Bash(npm test*)", "Bash", { command: "npm test", description: "Runs the tests", timeout: 1 }, true],
        ["Bash(npm test*)", "Bash", { command: "npm install" }, false],
        ["Bash(npm test)", "Bash", { command: "npm test --all" }, false],
        ["Edit(/p/src/*)", "Edit", { file_path: "/p/src/a/b.ts" }, true],
        ["Edit(/p/src/*)", "Edit", { file_path: "/p/src/../../etc/passwd" }, false],
        ["WebFetch(https://docs.example.org/*)", "WebFetch", { url: "https://docs.example.org.evil/" }, false],
        ["WebFetch(https://a.org/open/*)", "WebFetch", { url: "https://a.org/open/%2e%2E/closed" }, false],
        ["WebFetch(https://a.org/open/*)", "WebFetch", { url: "https://a.org/open/..?x" }, false],
        ["Write(*.md)", "Write", {}, false],
        // Each field that says what is touched must match.
        ["WebFetch(https://a.org/*)", "WebFetch", { url: "https://evil/", path: "https://a.org/x" }, false],
        ["Edit(/p/*)", "Edit", { file_path: "/p/a", path: 7 }, false],
        ["Edit(/p/*)", "Edit", { command: ["rm"], file_path: "/p/a" }, false],
        // `*` in the first word is a part of a program's name.
        ["Bash(npm*)", "Bash", { command: "npm" }, true],
        ["Bash(npm*)", "Bash", { command: "npm ci" }, false],
        ["Bash(npm *)", "Bash", { command: "npm ci" }, true],
        ["Bash(./scripts/*)", "Bash", { command: "./scripts/test.sh" }, true],
        ["Bash(./scripts/*.sh)", "Bash", { command: "./scripts/clean --exec=/tmp/evil.sh" }, false],
        ["Bash(*/vitest run)", "Bash", { command: "rm -rf /x /vitest run" }, false],
        ["Bash(*/vitest run)", "Bash", { command: "node_modules/.bin/vitest run" }, true],
        ["Bash(./scripts/* --all)", "Bash", { command: "./scripts/test.sh --all" }, true],
        ["Bash(npm*)", "Bash", { command: "npm=1 rm -rf ~" }, false],
        ["Bash(./scripts/*)", "Bash", { command: "./scripts/../../bin/rm -rf ~" }, false],
        ["Bash(./scripts/*)", "Bash", { command: './scripts/."."/evil' }, false],
        ["Bash(./scripts/*)", "Bash", { command: "./scripts/.?/evil" }, false],
        // The pattern's own field must be there, and no other field may say more.
        ["Bash(npm test*)", "Bash", { file_path: "npm test" }, false],
        ["Bash(npm test*)", "Bash", { script: "npm test" }, false],
        ["Bash(npm test*)", "Bash", { command: "npm test", directory: "/tmp/other" }, false],
        ["Edit(/p/*)", "Edit", { file_path: "/p/a", old_string: "a", new_string: "b", replace_all: true }, true],
        ["Edit(/p/*)", "Edit", { file_path: "/p/a", notebook_path: "/etc/passwd" }, false],
        ["Edit(/p/*)", "Edit", { file_path: "/p/a", target: "/etc/passwd" }, false],
        ["edit(src/*)", "edit", { file_path: "src/a.ts", diff: "+a", patterns: ["src/a.ts"] }, true],
        ["edit(/p/*)", "edit", { file_path: "/p/src/a.ts", diff: "+a", patterns: ["src/a.ts"] }, true],
        ["edit(src/*)", "edit", { file_path: "src/a.ts", diff: "+a", patterns: ["b.ts"] }, false],
        ["edit(src/*)", "edit", { file_path: "src/a.ts", diff: "+a", patterns: ["*"] }, false],
        ["edit(src/*)", "edit", { file_path: "src/a.ts", diff: "+a", patterns: [""] }, false],
        ["edit(src/*)", "edit", { file_path: "src/a.ts, b.ts", diff: "+a", patterns: ["src/a.ts", "b.ts"] }, false],
        ["Write(/p/*)", "Write", { file_path: "/p/a\n/etc/passwd" }, false],
        // A character of the pattern is itself.
        ["Bash(npm run type-check -- *)", "Bash", { command: "npm run type-check -- --watch" }, true],
        ["mcp__my-server__*", "mcp__my-server__read-file", {}, true],
        ["Bash(a.c)", "Bash", { command: "abc" }, false],
      ],
      ([entry, tool, input, isAllowed]) => {
        expect(isOnList([entry], tool, input)).toBe(isAllowed);
      },
      (row) => JSON.stringify(row),
    ));

  it("does not let a pattern allow another command", () =>
    everyRow(
      [
        "npm test; rm -rf ~",
        "npm test && curl evil",
        "npm test | sh",
        "npm test > ~/.bashrc",
        "npm test $(curl evil)",
        "npm test `curl evil`",
        "npm test\nrm -rf ~",
        "npm test & evil",
        "npm test <(evil)",
        "npm test\\\nevil",
        "npm test\u0000evil",
        "npm test\u0085evil",
        "nрm test", // a Cyrillic letter
        " npm test",
      ],
      (command) => {
        expect(isOnList(["Bash(npm test*)"], "Bash", { command })).toBe(false);
      },
    ));

  it("does not let a pattern allow a command outside of the sandbox", () => {
    const input = { command: "npm test", dangerouslyDisableSandbox: true };
    expect(isOnList(["Bash(npm test*)"], "Bash", input)).toBe(false);
  });
});

describe("an entry that cannot be read", () => {
  it("says why, and allows nothing", () =>
    everyRow(
      [
        ["", /expected a tool/],
        ["Bash(", /expected a tool/],
        ["Bash()", /expected a tool/],
        ["Ba sh", /expected a tool/],
        ["*", /would allow every tool/],
        ["Bash(npm test\nrm)", /control characters/],
        ["mcp__files__write(/p/*)", /takes no pattern; these tools do: Bash/],
        ["Ba*(npm test)", /takes no pattern/],
        ["WebFetch(https://docs.example.org*)", /the whole host and a slash/],
        ["WebFetch(https://*.example.org/*)", /the whole host and a slash/],
      ],
      ([text, problem]) => {
        expect(parseEntry(text)).toEqual({ problem: expect.stringMatching(problem) as string });
        expect(isOnList([text], "Bash", { command: "npm test" })).toBe(false);
      },
      (row) => JSON.stringify(row),
    ));
});

describe("for this session", () => {
  const rule = { toolName: "Bash", ruleContent: "npm test:*" };
  const suggestion = (more: object = {}): object => ({
    type: "addRules",
    rules: [rule],
    behavior: "allow",
    destination: "localSettings",
    ...more,
  });

  it("is the agent's own suggestion, until the session ends", () => {
    expect(sessionSuggestion(["Bash"], [suggestion()])).toEqual(suggestion({ destination: "session" }));
    expect(sessionSuggestion(["Bash(npm test:*)"], [suggestion()])).toBeDefined();
  });

  it("has nothing in it but rules, whatever else the payload says", () => {
    const wide = suggestion({
      rules: [{ ...rule, mode: "bypassPermissions" }],
      destination: "userSettings",
      mode: "x",
    });
    const setMode = { type: "setMode", mode: "bypassPermissions", destination: "session" };
    expect(sessionSuggestion(["Bash"], [setMode, wide])).toEqual(suggestion({ destination: "session" }));
  });

  it("is not offered where it would be more than the list, or another thing", () =>
    everyRow(
      [
        ["allows more than the list", ["Bash(npm test)"], [suggestion()]],
        ["changes the mode", ["Bash"], [{ type: "setMode", mode: "acceptEdits", destination: "session" }]],
        ["has a rule of another tool", ["Bash"], [suggestion({ rules: [rule, { toolName: "Edit" }] })]],
        ["has no rules", ["Bash"], [suggestion({ rules: [] })]],
        ["removes rules", ["Bash"], [suggestion({ type: "removeRules" })]],
        ["denies", ["Bash"], [suggestion({ behavior: "deny" })]],
        ["adds folders", ["Bash"], [{ type: "addDirectories", directories: ["/"], destination: "session" }]],
        ["replaces rules", ["Bash"], [suggestion({ type: "replaceRules" })]],
        ["is wider than the list's words", ["Bash(npm test:*)"], [suggestion({ rules: [rule, { toolName: "Bash" }] })]],
        ["is not a list", ["Bash"], "all"],
        ["has no members", ["Bash"], [null]],
      ],
      ([_why, list, suggestions]) => {
        expect(sessionSuggestion(list, suggestions)).toBeUndefined();
      },
    ));
});

it("a pattern allows what the regular expression of the same meaning allows", () => {
  const sign = fc.constantFrom("a", "b", "/", " ", ";", "-", ".", "\n", "é");
  const pattern = fc.array(fc.constantFrom("a", "b", "/", " ", "-", "*", ";"), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(pattern, fc.string({ unit: sign, maxLength: 12 }), (parts, command) => {
      const text = parts.join("");
      const [program = ""] = text.split(" ", 1);
      const source = (text: string, star: string): string => text.replaceAll("*", star);
      const wanted = new RegExp(
        `^${source(program, "[\\w./:@+-]*")}${source(text.slice(program.length), "[^;&|<>`$(){}\\\\\\p{Cc}]*")}$`,
        "u",
      );
      const hasParent = program.includes("*") && /(?:^|[\\/])\.{2}(?:[\\/?#]|$)/.test(command.split(" ", 1)[0] ?? "");
      fc.pre(!("problem" in parseEntry(`Bash(${text})`)) && !hasParent);
      expect(isOnList([`Bash(${text})`], "Bash", { command })).toBe(wanted.test(command));
    }),
    { numRuns: 5000, examples: [[[" ", "*"], "  "]] },
  );
});
