// The completion scripts, loaded by the shells that they are for.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { completion } from "../../src/cli/completion.ts";
import { manPage } from "../../src/cli/man-page.ts";
import { commandTable } from "../../src/cli/table.ts";
import { writeJournal } from "../../src/outbox/journal.ts";
import { ensureLayout, layoutOf } from "../../src/outbox/layout.ts";
import { writeSession } from "../../src/outbox/sessions.ts";
import { describeWithParts } from "../support/parts.ts";
import { commandIo } from "../support/project/command-io.ts";
import { recordOf } from "../support/project/session-record.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "hookbell-completion-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

async function printed(...args: string[]): Promise<string> {
  let text = "";
  await completion(args, commandIo(home, { stdout: (part) => void (text += part) }));
  return text;
}

describe("completion", () => {
  it("needs a shell that it knows", async () => {
    await expect(printed("tcsh")).rejects.toThrow("completion needs a shell: bash, zsh, fish");
  });

  it("prints the names of the person's channels for the scripts", async () => {
    expect(await printed("channel")).toBe("desktop\nsound\n");
  });

  it("prints the ids of sessions as tables and messages show them", async () => {
    const layout = layoutOf(commandIo(home).places.stateDir);
    ensureLayout(layout);
    writeSession(layout, recordOf({ agent: "codex", session: "019aa001-c000-7000-a91e-ec8811110005" }));
    expect(await printed("session")).toBe("11110005\n");
  });

  it("prints the ids of events and of failed deliveries, newest first", async () => {
    const layout = layoutOf(commandIo(home).places.stateDir);
    ensureLayout(layout);
    for (const id of ["evt_1", "evt_2", "evt $(x)"]) writeJournal(layout, 0, { kind: "event", event: { id } });
    for (const id of ["msg_1", "msg_2"]) writeFileSync(join(layout.dead, `${id}.json`), "{}");
    expect(await printed("event")).toBe("evt_2\nevt_1\n");
    expect(await printed("failedDelivery")).toBe("msg_2\nmsg_1\n");
    expect(await printed("question")).toBe("");
  });

  it.each(["bash", "zsh", "fish"])("asks for ids in the script for %s", async (shell) => {
    const script = await printed(shell);
    for (const kind of ["event", "failedDelivery", "question"]) {
      expect(script).toContain(`hookbell completion ${kind} 2>/dev/null`);
    }
  });

  it("names each place once for PowerShell, whose tables know no difference of case", async () => {
    const tables = (await printed("powershell")).split("$kinds = @{");
    for (const table of tables) {
      const keys = [...table.matchAll(/^ {4}'([^']*)' = /gm)].map(([, key = ""]) => key.toLowerCase());
      expect(keys.length).toBeGreaterThan(3);
      expect(keys).toEqual([...new Set(keys)]);
    }
  });

  it.each(["bash", "zsh", "fish", "powershell"])("has every command in the script for %s", async (shell) => {
    const script = await printed(shell);
    for (const name of Object.keys(commandTable)) for (const word of name.split(" ")) expect(script).toContain(word);
  });
});

describeWithParts("completion in bash", ["bash"], () => {
  async function complete(...words: string[]): Promise<string[]> {
    const file = join(home, "script");
    writeFileSync(file, await printed("bash"));
    const list = words.map((word) => `'${word}'`).join(" ");
    const line = `compopt() { :; }; . ${file}; COMP_WORDS=(hookbell ${list}); COMP_CWORD=${words.length}; _hookbell; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", line], {
      encoding: "utf8",
      env: { PATH: process.env.PATH, HOME: home },
    });
    expect(stderr).toBe("");
    return stdout.split("\n").filter((word) => word !== "");
  }

  it.each<[string[], string[]]>([
    [["uni"], ["uninstall"]],
    [["channels", "ad"], ["add"]],
    [["channels", "add", "sla"], ["slack"]],
    [["channels", "add", "--ev"], ["--events"]],
    [["channels", "add", "slack", "--events", "at"], ["attention"]],
    [["init", "--agent", "claude"], ["claude-code"]],
    [["log", "-n", ""], []],
    [["send", "--level", "err"], ["error"]],
    [["completion", "z"], ["zsh"]],
  ])("completes %j", async (words, expected) => {
    expect(await complete(...words)).toEqual(expected);
  });
});

// The bash of macOS is 3.2: it has no compopt, and reads nothing from `source <(...)`.
describeWithParts("completion in an old bash", ["bash"], () => {
  it("is loaded by eval, and completes files without compopt", async () => {
    const file = join(home, "script");
    writeFileSync(file, await printed("bash"));
    writeFileSync(join(home, "rules a.jsonc"), "{}");
    const words = `COMP_WORDS=(hookbell explain --config ru); COMP_CWORD=3`;
    const line = `enable -n compopt 2>/dev/null; eval "$(cat script)"; ${words}; _hookbell; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", line], { encoding: "utf8", cwd: home });
    expect({ stdout, stderr }).toEqual({ stdout: "rules a.jsonc\n", stderr: "" });
  });

  it("uses nothing that came after 3.2", async () =>
    expect(await printed("bash")).not.toMatch(
      /\b(?:mapfile|readarray|coproc|declare -[Agn]|local -[Agn])|\$\{\w+(?:,,|\^\^|@)|\|&|&>>/,
    ));
});

describeWithParts("completion in zsh", ["zsh"], () => {
  it("can be loaded", async () => {
    const file = join(home, "script");
    writeFileSync(file, await printed("zsh"));
    const line = `autoload -U compinit && compinit -D -u && . ${file} && whence -w _hookbell`;
    const { stdout, stderr } = spawnSync("zsh", ["-f", "-c", line], {
      encoding: "utf8",
      env: { PATH: process.env.PATH, HOME: home },
    });
    expect({ stdout, stderr }).toEqual({ stdout: "_hookbell: function\n", stderr: "" });
  });
});

describeWithParts("the man page", ["man"], () => {
  it("is formatted without a complaint", () => {
    const file = join(home, "hookbell.1");
    writeFileSync(file, manPage("1.2.3"));
    const env = { PATH: process.env.PATH, HOME: home, MANWIDTH: "80", LC_ALL: "C.UTF-8" };
    const { stdout, stderr } = spawnSync("man", ["--warnings", "-l", file], { encoding: "utf8", env });
    expect(stderr).toBe("");
    expect(stdout).toContain("hookbell channels add");
    expect(stdout).toContain("--events a,b");
  });
});
