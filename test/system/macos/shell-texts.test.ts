// The shell texts that run on Macs: for a POSIX shell, with options that macOS, the BSDs and busybox have as well.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { clineHookSetup } from "../../../src/agents/known/cline/hook-setup.ts";
import { fetchedScriptText, scriptText } from "../../../src/install/hook-script.ts";
import { transports } from "../../../src/wings/remote/transports.ts";
import { describeWithParts } from "../../support/parts.ts";
import { everyRow } from "../../support/rows.ts";

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

/** A folder whose every sign needs quoting. */
const awkward = `/Users/zoe\u0308 "a" 'b' $(touch pwned) \`c\` \\ #&;|<>*?~!/hookbell`;
const installation = { nodePath: `${awkward}/node`, hookPath: `${awkward}/dist/hook.cjs` };

const ssh = transports.ssh.argv("host").at(-1) ?? "";
const container = transports.docker.argv("box").at(-1) ?? "";

const texts: readonly (readonly [name: string, text: string])[] = [
  ["the hook", scriptText(installation)],
  ["the hook of a plug-in", read("hooks/hookbell-hook.sh")],
  ["the hook of another machine", fetchedScriptText()],
  ["the script for another machine", `#!/bin/sh\n${read("hooks/hookbell-remote.sh")}`],
  ["the hook that writes a file", read("hooks/hookbell-spool.sh")],
  ["what reads a script over SSH", `#!/bin/sh\n${ssh}\n`],
  ["what reads a script in a container", `#!/bin/sh\n${container}\n`],
  ...(clineHookSetup.ownFiles ?? []).map(({ event, text }) => {
    const argv = [`${awkward}/hookbell-hook.sh`, "--agent", "cline"];
    return [
      `Cline's program ${event}`,
      text({ argv, events: event === undefined ? [] : [event], platform: "darwin" }),
    ] as const;
  }),
];

/**
 * What shellcheck says without need: `-nt` (SC3013) and the ulimit's `-S` and `-H` (SC3045) are POSIX since 2024, and every
 * /bin/sh of macOS, the BSDs and Linux had them before; and its views on style, which name no fault of these texts.
 */
const notFaults = ["SC3013", "SC3045", "SC2015", "SC2016", "SC2046"];

describeWithParts("a shell text for macOS", ["shellcheck"], () => {
  const complaintsOf = (text: string): string =>
    spawnSync("shellcheck", ["--shell=sh", `--exclude=${notFaults.join(",")}`, "--format=gcc", "-"], {
      input: text,
      encoding: "utf8",
    }).stdout;

  it("is one in which shellcheck finds nothing that POSIX lacks", () =>
    everyRow(texts, ([, text]) => expect(complaintsOf(text)).toBe("")));

  it("would be found out", () =>
    expect(complaintsOf('#!/bin/sh\n[[ a == b ]] && echo "${1,,}" <<<x')).toMatch(/SC3010[^]*SC3059|SC3059[^]*SC3010/));
});

/** Every shell that is somewhere /bin/sh; macOS has bash 3.2, dash and zsh there. */
const shells = [["sh"], ["dash"], ["bash", "--posix"], ["busybox", "sh"], ["zsh", "--emulate", "sh"]] as const;

for (const [program, ...flags] of shells) {
  describeWithParts(`a shell text for macOS, under ${[program, ...flags].join(" ")}`, [program], () => {
    const run = (text: string, ...more: string[]) =>
      spawnSync(program, [...flags, ...more], { input: text, encoding: "utf8" });

    it("is read to its end", () =>
      everyRow(texts, ([, text]) => expect(run(text, "-n")).toMatchObject({ status: 0, stderr: "" })));

    it("has the paths as they are", () => {
      const lines = scriptText(installation).split("\n");
      const set = lines.filter((line) => /^(?:node|dist)=/.test(line)).join("\n");
      const { stdout } = run(`${set}\nprintf '%s\\n' "$node" "$dist"\n`);
      expect(stdout).toBe(`${installation.nodePath}\n${awkward}/dist\n`);
    });
  });
}

/**
 * The options of the programs that these texts call, which are the same in POSIX (2024), and in the manuals of macOS, FreeBSD,
 * OpenBSD, GNU and busybox. `-mmin` of find and `-c` of head are in POSIX since 2024, or in all of these.
 */
const options: Readonly<Record<string, readonly string[]>> = {
  cat: [],
  chmod: [],
  cmp: ["-s"],
  cp: ["-p"],
  date: ["+%s"],
  dd: [],
  // The last one is an option of the `rm` that it starts.
  find: ["-mmin", "-mtime", "-type", "-exec", "-f"],
  head: ["-c"],
  // `-s NAME` is a signal, `-0` asks whether the process is there.
  kill: ["-s", "-0"],
  ln: [],
  ls: ["-lnL"],
  mkdir: ["-p"],
  mv: ["-f"],
  readlink: [],
  rm: ["-f", "-rf"],
  rmdir: [],
  sleep: [],
  tr: [],
  uname: ["-s"],
  wc: ["-c"],
};

/** Programs of Linux, which these texts call only where they are. */
const elsewhere = ["setsid", "inotifywait"];

/** The commands of a text with their words, as far as a look at its lines tells: comments, and what stands in single quotes, are no commands. */
function commandsIn(text: string): string[][] {
  const bare = text.replaceAll(/^\s*#.*$/gm, "").replaceAll(/'[^']*'/g, "''");
  const start = /(?:^|[;&|({!]|\b(?:then|do|else|exec|if)\s)\s*(?:[A-Z_]+=\w* )?([a-z]+)\b(?=([^;&|)\n]*))/gm;
  return [...bare.matchAll(start)].flatMap(([, name = "", rest = ""]) =>
    name in options || elsewhere.includes(name) ? [[name, ...rest.trim().split(/\s+/)]] : [],
  );
}

describe("a program that a shell text for macOS calls", () => {
  it("is called with options that every system has", () => {
    const called = texts.flatMap(([, text]) => commandsIn(text));
    const strange = called.filter(([name = "", ...words]) =>
      words.some((word) => /^(?:-\w|\+%)/.test(word) && !(options[name] ?? [word]).includes(word)),
    );
    expect(strange).toEqual([]);
    // The look finds them all.
    expect(new Set(called.map(([name]) => name))).toEqual(new Set([...Object.keys(options), ...elsewhere]));
    expect(commandsIn('# rm -r a\na=$(readlink -f "$1") && LC_ALL=C tr a b')).toEqual([
      ["readlink", "-f", '"$1"'],
      ["tr", "a", "b"],
    ]);
  });

  it("is looked for first where macOS has none of that name", () =>
    everyRow(elsewhere, (name) => {
      const callers = texts.filter(([, text]) => commandsIn(text).some(([each]) => each === name));
      expect(callers.length).toBeGreaterThan(0);
      for (const [, text] of callers) expect(text).toContain(`command -v ${name} >/dev/null`);
    }));

  it("reads bytes as bytes: the tr of macOS ends at what is no letter of its locale", () =>
    expect(read("hooks/hookbell-spool.sh").match(/\btr '/g)).toHaveLength(
      read("hooks/hookbell-spool.sh").match(/LC_ALL=C tr '/g)?.length ?? 0,
    ));
});
