// What the settings of every agent have on Windows never makes a shell search the current folder, which may be a stranger's project.
import { describe, expect, it } from "vitest";
import type { HookSetup } from "../../../src/agents/hook-setup.ts";
import { hookSetups } from "../../../src/agents/hook-setups.ts";
import { hookArgv, hookEntry, type Installation } from "../../../src/install/command/hook-command.ts";
import { ownerOf, splitCommand } from "../../../src/install/command/owner.ts";
import { powerShellFileLine, powerShellLine } from "../../../src/model/text.ts";
import { everyRow } from "../../support/rows.ts";

const nodePath = "C:\\Program Files\\nodejs\\node.exe";
const users = ["me", "Ann Lee", "Zoë", "a&b^c%d", "it's $HOME", "100%", "x (y) `z`"];

function installationOf(user: string, node = nodePath): Installation {
  const home = `C:\\Users\\${user}`;
  return {
    nodePath: node.replace("~", home),
    hookPath: `${home}\\AppData\\Roaming\\npm\\node_modules\\hookbell\\dist\\hook.cjs`,
    scriptPath: `${home}\\AppData\\Local\\hookbell\\hookbell-hook.cmd`,
  };
}

const nodes = [
  nodePath,
  "C:\\nvm4w\\nodejs\\node.exe",
  // One version, which goes with the next update.
  "~\\AppData\\Roaming\\nvm\\v22.1.0\\node.exe",
  // The single executable.
  "~\\bin\\hookbell.exe",
];

const rows = Object.entries<HookSetup>(hookSetups).flatMap(([id, hookSetup]) =>
  Object.keys(hookSetup.events).flatMap((event) =>
    users.flatMap((user) =>
      nodes.map((node) => ({ id, hookSetup, event, user, installation: installationOf(user, node) })),
    ),
  ),
);

function programsOf({ id, hookSetup, event, installation }: (typeof rows)[number]): string[] {
  const { entry, files, ownFiles = [] } = hookSetup;
  if (files.length === 0) {
    const argv = hookArgv(installation, { id, hookSetup }, event, "win32");
    const texts = ownFiles.map((file) => file.text({ argv, platform: "win32", events: [event] }));
    const inScripts = texts.flatMap((text) => /^& .*$/m.exec(text)?.[0] ?? []).flatMap(programsOfPowerShell);
    return [...startedBy(argv), ...inScripts];
  }
  const written = hookEntry(installation, { id, hookSetup }, event, "win32");
  const command = String(written[entry.commandKeyOnWindows ?? entry.commandKey]);
  if (Array.isArray(written.args)) return startedBy([command, ...written.args.map(String)]);
  const { shellOnWindows: shell = "any" } = entry;
  // Without `args` it is Git Bash or PowerShell that reads it.
  if (shell === "none")
    return [...programsOfPowerShell(command), ...(splitCommand(command)?.slice(0, 1) ?? ["unread"])];
  return [
    ...(shell === "cmd" || shell === "any" ? programsOfCmd(command) : []),
    ...(shell === "powershell" || shell === "any" ? programsOfPowerShell(command) : []),
    ...(shell === "bash" ? (splitCommand(command)?.slice(0, 1) ?? ["unread"]) : []),
  ];
}

/** The programs that run when cmd.exe is given this line, or the line in quotes. */
function programsOfCmd(line: string): string[] {
  // A quote in front would be dropped with the last one.
  if (line.startsWith('"')) return [`dropped: ${line}`];
  const outside = line.replaceAll(/"[^"]*"/g, '""');
  if (/[&|<>()^;,=%!]/.test(outside)) return [`more than one command: ${line}`];
  const words = [...line.matchAll(/(@?)(?:"([^"]*)"|(\S+))/g)].map(([, , quoted, bare]) => quoted ?? bare ?? "");
  return startedBy(words.map((word) => word.replace(/^@/, "")));
}

function programsOfPowerShell(line: string): string[] {
  // The beginning of a text that goes over lines: PowerShell refuses more on the first one.
  if (line.startsWith('@"')) return [];
  const called = /^& (.*)$/.exec(line);
  if (called !== null) {
    const words = [...(called[1] ?? "").matchAll(/\('[^)]*\)|'((?:[^']|'')*)'|\S+/g)];
    return startedBy(
      words.map(([word, quoted]) => quoted?.replaceAll("''", "'") ?? (word.startsWith("(") ? "C:\\joined" : word)),
    );
  }
  const quotes = line.match(/"[^"]*"/g) ?? [];
  if (/[`$;|&(){}@,']/.test(line.replaceAll(/"[^"]*"/g, "")) || quotes.some((quoted) => /[`$]/.test(quoted)))
    return [`read otherwise: ${line}`];
  return startedBy(line.split(" "));
}

/** cmd.exe starts another one in its turn. Without quotes around it, it reads that line again. */
function startedBy([program = "", ...args]: readonly string[]): string[] {
  if (!/\\cmd\.exe$/i.test(program)) return [program];
  const called = args.find((word) => !/^(?:\/[dcs]|call)$/.test(word)) ?? "";
  const isSafe = /^["]?[A-Za-z]:(?:\\[\p{L}\p{N}_.~ -]+)+["]?$/u.test(called);
  return [program, isSafe ? called.replace(/^"/, "") : `read again: ${called}`];
}

describe("a hook on Windows", () => {
  it("names every program by its whole path, for each agent, event, user and Node", () =>
    everyRow(
      rows,
      (row) => {
        for (const program of programsOf(row)) expect(program).toMatch(/^[A-Za-z]:[\\/]/);
      },
      ({ id, event, user, installation }) => `${id}'s ${event} of ${user} with ${installation.nodePath}`,
    ));

  it("starts a program for each agent", () =>
    everyRow(
      rows.filter(({ user }) => user === "me"),
      (row) => expect(programsOf(row).length).toBeGreaterThan(0),
    ));

  it("is recognised as hookbell's", () =>
    everyRow(
      rows.filter(({ hookSetup }) => hookSetup.files.length > 0),
      ({ id, hookSetup, event, installation }) => {
        const { commandKey, commandKeyOnWindows = commandKey } = hookSetup.entry;
        const entry = hookEntry(installation, { id, hookSetup }, event, "win32");
        const args = Array.isArray(entry.args) ? entry.args.map(String) : [];
        expect(ownerOf(String(entry[commandKeyOnWindows]), args, "")).toBe("own");
      },
      ({ id, event, user }) => `${id}'s ${event} of ${user}`,
    ));

  it("has no cmd.exe that would read the payload if its arguments were left out", () =>
    everyRow(
      rows.filter(({ hookSetup }) => hookSetup.files.length > 0),
      ({ id, hookSetup, event, installation }) => {
        const { command, args } = hookEntry(installation, { id, hookSetup }, event, "win32");
        expect(Array.isArray(args) && /cmd\.exe$/i.test(String(command))).toBe(false);
      },
    ));

  it("has no folder of one version in it, but for agents that start nothing else than a program", () =>
    everyRow(
      rows.filter(
        ({ hookSetup, user }) =>
          hookSetup.files.length > 0 && ["me", "Zoë"].includes(user) && hookSetup.entry.hasArgs !== true,
      ),
      ({ id, hookSetup, event, installation }) => {
        const entry = hookEntry(installation, { id, hookSetup }, event, "win32");
        expect(JSON.stringify(entry)).not.toMatch(/v22\.1\.0|node_modules/);
      },
    ));
});

describe("the form of a hook on Windows", () => {
  const formOf = (id: keyof typeof hookSetups, user: string, node = nodePath): unknown => {
    const hookSetup: HookSetup = hookSetups[id];
    const event = Object.keys(hookSetup.events)[0] ?? "";
    const { commandKey, commandKeyOnWindows = commandKey } = hookSetup.entry;
    const { args, [commandKeyOnWindows]: command } = hookEntry(
      installationOf(user, node),
      { id, hookSetup },
      event,
      "win32",
    );
    return args === undefined ? command : [command, args];
  };
  const slashed = (path: string): string => path.replaceAll("\\", "/");
  const versioned = "C:\\nvm\\v22.1.0\\node.exe";
  const inHome = (user: string): string => `C:\\Users\\${user}\\AppData\\Local\\hookbell\\hookbell-hook`;

  it("is a program with arguments where the agent needs no shell", () => {
    const args = [`${inHome("a&b^c%d")}.cjs`.replaceAll("\\", "/"), "--agent", "claude-code"];
    expect(formOf("claude-code", "a&b^c%d")).toEqual(["C:/Program Files/nodejs/node.exe", args]);
    expect(formOf("claude-code", "me", versioned)).toBe(`${slashed(`${inHome("me")}.cmd`)} --agent claude-code`);
    const own = slashed(`${inHome("Ann Lee")}.cjs`);
    expect(formOf("claude-code", "Ann Lee", versioned)).toEqual([slashed(versioned), [own, "--agent", "claude-code"]]);
  });

  it("is a line that cmd.exe reads alike with and without quotes around it", () => {
    expect(formOf("droid", "Zoë")).toBe(`${inHome("Zoë")}.cmd --agent droid`);
    expect(formOf("droid", "a&b^c%d")).toBe(`@"${nodePath}" "${inHome("a&b^c%d")}.cjs" --agent droid`);
    expect(formOf("droid", "Ann Lee", versioned)).toBe(`@"${inHome("Ann Lee")}.cmd" --agent droid`);
  });

  it("is a line that cmd.exe and PowerShell read alike where either may run it", () => {
    expect(formOf("cursor", "me")).toBe(`${inHome("me")}.cmd --agent cursor`);
    expect(formOf("codex", "Ann Lee")).toBe(
      `C:\\Windows\\System32\\cmd.exe /d /c call "${inHome("Ann Lee")}.cmd" --agent codex`,
    );
  });

  it("is a call for PowerShell", () => {
    const program = `${inHome("it's $HOME")}.cjs`.replaceAll("\\", "/").replace("'", "''");
    expect(formOf("gemini-cli", "it's $HOME")).toBe(
      `& 'C:/Program Files/nodejs/node.exe' '${program}' --agent gemini-cli`,
    );
    expect(formOf("kiro", "me", versioned)).toBe(
      `& 'C:\\Windows\\System32\\cmd.exe' /d /c '${inHome("me")}.cmd' --agent kiro`,
    );
  });

  it("has single quotes for Git Bash, which would take backslashes away", () => {
    expect(formOf("codebuddy", "Ann Lee")).toBe(
      `'C:/Program Files/nodejs/node.exe' '${inHome("Ann Lee").replaceAll("\\", "/")}.cjs' --agent codebuddy`,
    );
    expect(formOf("devin", "me", versioned)).toBe(`${inHome("me").replaceAll("\\", "/")}.cmd --agent devin`);
  });
});

describe("a line for PowerShell", () => {
  it("keeps quotes of every kind", () => {
    expect(powerShellLine(["C:\\it's\\\u2019\\n.exe", "--a"])).toBe("& 'C:\\it''s\\\u2019\u2019\\n.exe' --a");
  });

  it("is ASCII in a file", () => {
    expect(powerShellFileLine(["C:\\Zoë's\\n.exe", "--a"])).toBe("& ('C:\\Zo' + [string][char]235 + '''s\\n.exe') --a");
    expect(powerShellFileLine(["C:\\n.exe", "日本"])).toBe("& 'C:\\n.exe' ([string][char]26085 + [string][char]26412)");
  });
});
