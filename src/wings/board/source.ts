// Where the board's sessions come from, and what a key does there: this machine's state folder.
import { choiceOfWords } from "../../answers/give-answer.ts";
import { pageOrigin } from "../../answers/browsers/open-page.ts";
import { questionsFolder } from "../../answers/questions.ts";
import type { BoardRow, OpenQuestion } from "../../overview/board.ts";
import { createDayReader, type Day } from "../../overview/day.ts";
import { createBoardReader } from "../../overview/read-board.ts";
import { readRules } from "../../pipeline/current-rules.ts";
import type { Choice } from "../../model/answer.ts";
import { formatTime } from "../../model/figures/wall-clock.ts";
import { type Layout, layoutOf } from "../../outbox/layout.ts";
import { readSession, writeSession } from "../../outbox/sessions.ts";
import { sessionObserved } from "../../sessions/reduce.ts";
import { watchFolder } from "../../system/files/watch.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { insteadOfBroken } from "../../commands/pipeline/load-rules.ts";

export interface BoardSource {
  /** Shown in the first row. */
  label?: string;
  read(nowMs: number): BoardRow[];
  /** Reads again what the board has to know of the rules; the result is what is wrong with them. */
  readRules(): Promise<string | undefined>;
  /** What each project did today. */
  readDay(nowMs: number): Promise<Day>;
  /** Calls back when something may have changed, until the returned function is called. */
  watch(onChange: () => void): () => void;
  /** Each act says what it did. `isOver`: the board was in the way, so it ends. */
  go(row: BoardRow): Promise<{ says: string; isOver?: boolean }>;
  answer(open: OpenQuestion, answer: { choice: Choice; message?: string }): Promise<string>;
  mute(row: BoardRow): Promise<string>;
  openPage(): Promise<string>;
}

const muteForMs = 60 * 60_000;

export function stateSource(io: CommandIo): BoardSource {
  const layout = layoutOf(io.places.stateDir);
  const read = createBoardReader(layout);
  let takesAnswers: boolean | undefined;
  return {
    read: (nowMs) => read(nowMs, { takesAnswers }),
    async readRules() {
      const current = await readRules(io.places.rulesFile, layout);
      takesAnswers = current.rules.answers !== undefined;
      return current.problems.length === 0
        ? undefined
        : `The rules file is broken; ${insteadOfBroken[current.origin]}. To see why: hookbell check`;
    },
    readDay: createDayReader(layout),
    watch(onChange) {
      const folders = [layout.root, layout.sessions, layout.journal, questionsFolder(layout)];
      const ends = folders.map((folder) => watchFolder(folder, onChange, { isKeepingAlive: true }));
      return () => ends.forEach((end) => end());
    },
    async go(row) {
      const { isThere, ...gone } = await go(row, io);
      if (isThere && row.group === "unread") noteSeen(row, layout, io.clock.now());
      return gone;
    },
    async answer({ question }, { choice, message }) {
      const { giveAsPerson } = await import("../../commands/queue/answer.ts");
      const meant = choice === "reply" ? choiceOfWords(question, message ?? "") : choice;
      return giveAsPerson(layout, question, { choice: meant, message }, "on the board", io).text;
    },
    mute: (row) => mute(row, layout, io),
    openPage: () => openPage(layout, io),
  };
}

/** Goes to the terminal as a click on a notification does. */
async function go(
  { record, place }: BoardRow,
  { env, platform }: CommandIo,
): Promise<{ says: string; isOver?: boolean; isThere?: boolean }> {
  const { terminal, folder } = record;
  if (platform === "win32") return { says: "Windows lets no program raise another one's window." };
  if (terminal === undefined) {
    const where = folder === undefined ? "" : `; it works in ${folder}`;
    return { says: `hookbell does not know its terminal${where}.` };
  }
  const { raiseTerminal } = await import("../../system/terminal/raise-terminal.ts");
  const did = await raiseTerminal({ terminal, folder, activationToken: undefined }, env);
  const isThere = !did.startsWith("not raised");
  return { says: `${place}: ${did}`, isThere, isOver: isThere && (await isInPopup(env)) };
}

/** Notes what a click on the session's notification would note. */
function noteSeen({ record: { agent, session } }: BoardRow, layout: Layout, at: number): void {
  const seen = { kind: "acted", at, source: "person", how: "went to its terminal" } as const;
  writeSession(layout, sessionObserved(readSession(layout, agent, session), seen));
}

/** A popup of tmux is the terminal of no pane, and hides what it was opened over. */
async function isInPopup(env: CommandIo["env"]): Promise<boolean> {
  if (env.TMUX === undefined) return false;
  const [{ findOwnTerminal }, { findProgram }, { runProcess }] = await Promise.all([
    import("../../system/terminal/find-terminal.ts"),
    import("../../system/process/find-program.ts"),
    import("../../system/process/run.ts"),
  ]);
  const program = findProgram("tmux", env, "linux");
  const device = findOwnTerminal()?.device;
  if (program === undefined || device === undefined) return false;
  const listed = await runProcess({ argv: [program, "list-panes", "-a", "-F", "#{pane_tty}"], env, timeoutMs: 2000 });
  return listed.status === "exited" && listed.code === 0 && !listed.stdout.split("\n").includes(device);
}

async function openPage(layout: Layout, { env, platform }: CommandIo): Promise<string> {
  const origin = pageOrigin(layout);
  if (origin === undefined) return "No page is served. To start it: hookbell serve";
  const { openLink } = await import("../../system/terminal/open-link.ts");
  const isSeen =
    platform === "darwin"
      ? env.SSH_CONNECTION === undefined
      : env.DISPLAY !== undefined || env.WAYLAND_DISPLAY !== undefined;
  return isSeen && openLink(origin, env, platform, undefined) ? `Opened ${origin}` : `The page: ${origin}`;
}

async function mute({ record, mute }: BoardRow, layout: Layout, io: CommandIo): Promise<string> {
  const { addMute } = await import("../../outbox/attention.ts");
  const { unmuteNow } = await import("../../commands/attention/mute.ts");
  const now = io.clock.now();
  if (mute?.scope === "session") {
    unmuteNow(layout, [mute], now, io);
    return "No longer muted.";
  }
  const until = now + muteForMs;
  addMute(layout, { scope: "session", name: record.session, until }, now);
  return `Muted until ${formatTime(until, now, undefined)}; m again ends it.`;
}
