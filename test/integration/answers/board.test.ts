// The board in a real terminal: it finds what waits at every size, answers the real hook, and leaves the terminal as it was.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { listQuestions } from "../../../src/answers/questions.ts";
import { listSessions, writeSession } from "../../../src/outbox/sessions.ts";
import { ensureLayout } from "../../../src/outbox/layout.ts";
import { lineOf, openTmux, type TmuxPane } from "../../support/desktop/tmux.ts";
import { describeWithParts } from "../../support/parts.ts";
import { processesWithEnvironment } from "../../support/project/processes.ts";
import { recordOf } from "../../support/project/session-record.ts";
import { cliPath, payloadOf, type Project } from "../../support/project/running-project.ts";
import { startPretendTelegram, type PretendTelegram } from "../../support/receivers/pretend-telegram.ts";
import { askHook, decisionOf, onlyQuestion, printed, telegramProject, type Hook } from "./asking.ts";

let telegram: PretendTelegram;
let project: Project;
beforeEach(async () => {
  telegram = await startPretendTelegram();
  onTestFinished(telegram.close);
  project = telegramProject(telegram);
});

const board = lineOf(process.execPath, cliPath, "board");

function openBoard(size: readonly [number, number] = [80, 24], before = "", more = ""): TmuxPane {
  return openTmux(project, `${before} ${board} ${more}; echo "ended with $?"`, size);
}

/** It begins with the sign of the selected session. */
const selectedRow = (pane: TmuxPane): string =>
  pane
    .shown()
    .split("\n")
    .find((row) => row.startsWith("▸")) ?? "";

async function ask(command?: string, more: object = {}): Promise<Hook> {
  const hook = askHook(project, command, {}, more);
  await project.until("the question in the session", () => {
    const asked = listSessions(project.layout).filter(({ state }) => state.kind === "needsYou");
    return asked.some(({ session }) => session === hook.payload.session_id);
  });
  return hook;
}

/** A shell line that runs the hook of an event; no hook waits for an answer. */
function hookLine(event: string, more: object = {}): string {
  const hook = lineOf(process.execPath, cliPath, "hook", "--agent", "claude-code");
  return `printf '%s' '${payloadOf(event, { session_id: "s9", ...more })}' | ${hook}`;
}

describeWithParts("hookbell board", ["tmux"], () => {
  it.each([
    [60, 24],
    [80, 24],
    [120, 40],
    [200, 60],
  ])("shows the one of eight sessions that waits first, at %i columns and %i rows", async (columns, rows) => {
    ensureLayout(project.layout);
    const now = Date.now();
    for (const name of ["api", "docs", "infra", "mobile-アプリ", "search", "billing", "emoji-👩‍👩‍👧‍👦"]) {
      const state = {
        kind: "working",
        reason: "A tool call began.",
        source: "hook",
        since: now,
        turn: { helpers: 0 },
      } as const;
      writeSession(project.layout, recordOf({ agent: "codex", session: name, project: name, lastSeenAt: now, state }));
    }
    const pane = openBoard([columns, rows], "NO_COLOR=1");
    await project.until("the board", () => pane.shown().startsWith(" nothing needs you, 7 work"));
    await ask();
    await project.until("the question, down to the last row", () => pane.shown().includes("a allow"));
    const shown = pane.shown().split("\n");
    expect(shown[0]).toMatch(/^ 1 needs you, 7 work/);
    expect(shown[2]).toMatch(/^▸ needs you +\S+ +proj .*run `/u);
    expect(shown.join("\n")).toContain(" │ touch made");
    expect(shown.filter((row) => [...row].length > columns)).toEqual([]);
    expect(shown.findLast((row) => row !== "")).toMatch(/^ enter go there .*\? keys {2}q quit$/);
    const raw = pane.shown(true);
    expect(raw).toBe(stripVTControlCharacters(raw));
  });

  it("allows by the keyboard alone: the hook that waits prints the answer, and a second board shows it", async () => {
    const panes = [openBoard(), openBoard([120, 40])];
    for (const pane of panes) await project.until("the board", () => pane.shown().includes("nothing needs you"));
    const hook = await ask();
    for (const pane of panes) await project.until("the question", () => pane.shown().includes("│ touch made"));
    const [first, second] = panes as [TmuxPane, TmuxPane];
    await project.until("the permission", () => {
      if (onlyQuestion(project) !== undefined) first.press("a");
      return onlyQuestion(project) === undefined;
    });
    expect(await printed(hook)).toEqual(decisionOf("allow"));
    await project.until("its end on the other board", () => !second.shown().includes("1 needs you"));
    const answers = project.journal().filter(({ kind }) => kind === "answer");
    expect(answers).toEqual([expect.objectContaining({ what: "allow", by: expect.stringMatching(/ on the board$/) })]);
  });

  it("denies with a reason, and does not allow what is not wholly seen or not in the list", async () => {
    const pane = openBoard([80, 14]);
    const long = await ask(`touch ${"a".repeat(900)}`);
    await project.until("the question", () => pane.shown().includes("Space shows all of it"));
    pane.press("a");
    await project.until("the refusal", () => pane.shown().includes("read all of the question first"));
    pane.press("r");
    pane.type("too long");
    await project.until("the words", () =>
      pane.shown().includes("deny and say why (enter: send, esc: back): too long"),
    );
    pane.press("Enter");
    await project.until("whose question it was", () => /: denied by \S+ on the board/.test(pane.shown()));
    expect(await printed(long)).toEqual(decisionOf("deny", "too long"));
    const other = await ask("rm -rf /tmp/x", { session_id: "other" });
    await project.until("the next question", () => pane.shown().includes("rm -rf /tmp/x"));
    pane.press("Space", "a");
    await project.until("why it is not allowed", () => pane.shown().includes('"answers.allow" does not list it'));
    pane.press("d");
    expect(await printed(other)).toMatchObject(decisionOf("deny", "The user denied this."));
  });

  it("does nothing with what is pasted", async () => {
    const pane = openBoard();
    await ask();
    await project.until("the question", () => pane.shown().includes("│ touch made"));
    pane.run("set-buffer", "aaaa\n");
    pane.run("paste-buffer", "-p", "-t", "test");
    pane.press("?");
    await project.until("the keys, which come after what was pasted", () => pane.shown().includes("choose a session"));
    expect(onlyQuestion(project)).toBeDefined();
  });

  it("goes to the pane of tmux where the session runs", async () => {
    const pane = openBoard();
    await project.until("the board", () => pane.shown().includes("nothing needs you"));
    const asked = { tool_name: "Bash", tool_input: { command: "make" } };
    pane.run("new-window", "-d", "-t", "test", `${hookLine("PermissionRequest", asked)}; sleep 1000`);
    await project.until("the question", () => pane.shown().includes("1 needs you"));
    expect(pane.run("display-message", "-p", "-t", "test:", "#{window_index}").trim()).toBe("0");
    pane.press("Enter");
    await project.until("what became of it", () =>
      /not raised: no terminal is attached|selected its pane/.test(pane.run("capture-pane", "-p", "-t", "test:0")),
    );
    expect(pane.run("display-message", "-p", "-t", "test:", "#{window_index}").trim()).toBe("1");
  });

  it("in a popup, Enter goes to the session's pane and closes the popup; what was done is seen then", async () => {
    // The person's terminal is a pane of an outer tmux, in which a client of their own tmux runs.
    const inner = openTmux(project, "sh", [78, 22]);
    const outer = openTmux(project, `unset TMUX; exec tmux -S ${inner.socket} attach -t test`, [80, 24]);
    await project.until("the client", () => inner.run("list-clients").trim() !== "");
    const prompt = hookLine("UserPromptSubmit", { prompt: "build it" });
    inner.run("new-window", "-d", "-t", "test", `${prompt}; ${hookLine("Stop")}; sleep 1000`);
    const isSeen = (): boolean | undefined =>
      listSessions(project.layout).flatMap(({ state }) => (state.kind === "done" ? [state.isSeen] : []))[0];
    await project.until("the end of its turn", () => isSeen() === false);
    const popup = inner.popup(board);
    await project.until("the session", () => outer.shown().includes("done, new"));
    outer.press("Enter");
    expect(await popup).toBe(0);
    expect(inner.run("display-message", "-p", "-t", "test:", "#{window_index}").trim()).toBe("1");
    await project.until("the terminal without the popup", () => !outer.shown().includes("done, new"));
    expect(isSeen()).toBe(true);
  });

  it("mutes and unmutes a session", async () => {
    const pane = openBoard();
    await ask();
    await project.until("the question", () => pane.shown().includes("1 needs you"));
    pane.press("m");
    await project.until("the mute", () => /\[muted until/.test(selectedRow(pane)));
    expect((await project.run(["mute", "--list"])).stdout).toMatch(/^session /);
    pane.press("m");
    await project.until("its end", () => !/\[muted until/.test(selectedRow(pane)));
    expect((await project.run(["mute", "--list"])).stdout).toBe("nothing is muted\n");
  });

  it("follows the terminal's size", async () => {
    const pane = openBoard([120, 40], "", "--demo");
    await project.until("the board", () => pane.shown().includes("▸ needs you"));
    pane.resize(60, 12);
    await project.until("the last row of the small one", () => /\? keys {2}q quit$/.test(pane.shown().trimEnd()));
    expect(
      pane
        .shown()
        .split("\n")
        .filter((row) => [...row].length > 60),
    ).toEqual([]);
  });

  it.each([
    ["q", (pane: TmuxPane) => pane.press("q")],
    ["Ctrl-C", (pane: TmuxPane) => pane.press("C-c")],
    [
      "SIGTERM",
      (pane: TmuxPane) => void pane.run("run-shell", "pkill -TERM -P $(tmux display-message -p -t test '#{pane_pid}')"),
    ],
  ])("leaves the terminal as it was after %s", async (_how, end) => {
    const pane = openBoard([80, 24], "printf 'before\\n';", "--demo");
    await project.until("the board", () => pane.shown().includes("▸ needs you"));
    end(pane);
    await project.until("its end", () => pane.shown().includes("ended with 0"));
    expect(pane.shown()).toContain("before\n");
    expect(pane.shown()).not.toContain("needs you");
    expect(pane.run("display-message", "-p", "-t", "test", "#{alternate_on} #{cursor_flag} #{wrap_flag}").trim()).toBe(
      "0 1 1",
    );
    pane.type("echo typed");
    await project.until("the echo of what is typed", () => pane.shown().includes("echo typed"));
  });

  it("leaves the terminal as it was after a crash, and says what happened", async () => {
    const preload = join(project.home, "crash.cjs");
    writeFileSync(preload, `process.on("SIGUSR2", () => { throw new Error("a crash for the test"); });`);
    const pane = openBoard([80, 24], `NODE_OPTIONS="--require ${preload}"`, "--demo");
    await project.until("the board", () => pane.shown().includes("▸ needs you"));
    pane.run("run-shell", "pkill -USR2 -P $(tmux display-message -p -t test '#{pane_pid}')");
    await project.until("its end", () => /ended with [1-9]/.test(pane.shown()));
    expect(pane.shown()).toContain("a crash for the test");
    const flags = "#{alternate_on} #{cursor_flag} #{wrap_flag}";
    expect(pane.run("display-message", "-p", "-t", "test", flags).trim()).toBe("0 1 1");
  });

  it("ends with its terminal", async () => {
    const pane = openBoard();
    await project.until("the board", () => pane.shown().includes("nothing needs you"));
    const isRunning = (): boolean => processesWithEnvironment(project.home).length > 0;
    expect(isRunning()).toBe(true);
    pane.run("kill-server");
    await project.until("its end", () => !isRunning());
  });

  it("stops at Ctrl-Z, and goes on", async () => {
    const pane = openTmux(project, `set -m; ${board} --demo`, [80, 24]);
    await project.until("the board", () => pane.shown().includes("▸ needs you"));
    pane.press("C-z");
    await project.until("the shell", () => /Stopped/.test(pane.shown()));
    expect(pane.shown()).not.toContain("▸");
    pane.type("fg");
    pane.press("Enter");
    await project.until("the board again", () => pane.shown().includes("▸ needs you"));
    pane.press("j");
    await project.until("a key", () => selectedRow(pane).startsWith("▸ failed"));
  });

  it("prints once where there is no terminal for it", async () => {
    const { stdout, stderr, code } = await project.run(["board", "--demo"]);
    expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
    expect(stdout).toMatch(/needs you +41s {2}shop-web \(feature\/cart\)/);
    const pane = openBoard([80, 24], "TERM=dumb", "--demo");
    await project.until("its end", () => pane.shown().includes("ended with 0"));
    expect(pane.shown()).toContain("npm publish");
  });
});

it("--json is what sessions --json prints, and the demo touches no file", async () => {
  const demo = await project.run(["board", "--demo", "--json"]);
  expect(JSON.parse(demo.stdout)).toMatchObject({
    version: 2,
    sessions: expect.arrayContaining([expect.objectContaining({ group: "needsYou" })]),
  });
  expect(listQuestions(project.layout)).toEqual([]);
  expect(listSessions(project.layout)).toEqual([]);
  expect((await project.run(["board", "--json"])).stdout).toBe((await project.run(["sessions", "--json"])).stdout);
});
