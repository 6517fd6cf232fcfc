// The page of payloads to copy: each command of it, run as a person runs it, says what the page shows.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { cliPath, end, temporaryProject, type Project } from "../../support/project/running-project.ts";

const page = readFileSync(fileURLToPath(new URL("../../../docs/reference/PAYLOADS.md", import.meta.url)), "utf8");

interface Shown {
  event: string;
  title: string;
  command: string;
  output: string;
}

const shown: Shown[] = page.split(/^## /m).flatMap((section) => {
  const [event = ""] = section.split("\n", 1);
  const blocks = section.matchAll(/^((?!```|#)[^\n]+)\n\n```sh\n(.*?)\n```\n\n```text\n(.*?)\n?```$/gms);
  return [...blocks].map(([, title = "", command = "", output = ""]) => ({ event, title, command, output }));
});

/** What a terminal shows of it, without blanks at the ends of lines and at the end. */
async function run({ env, home }: Project, command: string): Promise<string> {
  const script = `hookbell() { "${process.execPath}" "${cliPath}" "$@"; }\nexec 2>&1\n${command}`;
  const { stdout } = await end(spawn("sh", ["-c", script], { env, cwd: home }), "");
  return stdout.replace(/[ \t]+$/gm, "").trimEnd();
}

/** A line `...` stands for lines, at least one. */
function patternOf(output: string): RegExp {
  const literal = output.trimEnd().replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return new RegExp(`^${literal.replace(/^\\\.\\\.\\\.$/gm, "[^]+?")}$`);
}

describe.skipIf(process.platform === "win32")("the page of payloads", () => {
  it("has right and wrong ones of every event, and no command that is not shown with its output", () => {
    const kinds = (name: string): boolean[] =>
      [true, false].map((isWrong) =>
        shown.some(({ event, title }) => event === name && title.startsWith("Wrong") === isWrong),
      );
    for (const event of ["Notification", "Stop", "SubagentStop", "SessionEnd", "Of every event"]) {
      expect([event, ...kinds(event)]).toEqual([event, true, true]);
    }
    expect(shown).toHaveLength(page.split("```sh\n").length - 1);
    expect(shown.length).toBeGreaterThan(20);
  });

  it.each(shown)("$event: $title", async ({ command, output }) => {
    expect(await run(temporaryProject(), command)).toMatch(patternOf(output));
  });

  it.each(shown.filter(({ command }) => command.includes("hookbell explain")))(
    "the hook judges alike. $event: $title",
    async ({ title, command, output }) => {
      const isWrong = title.startsWith("Wrong");
      expect(output.includes("would reject")).toBe(isWrong);
      const said = await run(temporaryProject(), `${command.replace("explain", "hook")}; echo "exit code $?"`);
      const problems = output.split("\n").slice(1);
      const expected = isWrong ? problems.map((line) => line.replace(/^ {2}/, "hookbell: ")) : [];
      expect(said.split("\n")).toEqual([...expected, `exit code ${isWrong ? 1 : 0}`]);
    },
  );
});
