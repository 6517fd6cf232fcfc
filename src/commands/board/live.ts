// The board on the whole terminal: reads when something changes, draws, and does what the keys say.
import type { BoardRow } from "../../board/board.ts";
import { UserError } from "../../model/errors.ts";
import { openFullScreen } from "../../system/terminal/full-screen.ts";
import type { CommandIo } from "../console/command-io.ts";
import { type Act, firstUi, pressed, selectedIn, type Ui } from "./keys.ts";
import type { BoardSource } from "./source.ts";
import { drawBoard } from "./view.ts";

/** Ages change. */
const drawEveryMs = 1000;
/** Some changes touch no file: a session falls silent, or its process ends. */
const readEveryMs = 5000;
/** A hook and the dispatcher write several files for one event. */
const gatherMs = 40;
/** Where many sessions are busy, reading them takes no more than this part of the time. */
const maxReadingShare = 1 / 5;
/** A question that has just come may get the key that was meant for the one before. */
const readingMs = 700;
const saysForMs = 6000;

/** Resolves when the person quits or the process is told to end; the terminal is as before then, also after an error. */
export async function showBoard(source: BoardSource, io: CommandIo): Promise<void> {
  const { clock } = io;
  const stop = io.untilStopped();
  const ends: (() => void)[] = [];
  let cancelTick = (): void => {};
  let isOver = false;
  let ui: Ui = firstUi;
  let rows: BoardRow[] = [];
  let notice: string | undefined;
  let readAt = -Infinity;
  let rulesAt = -Infinity;
  let pauseMs = gatherMs;
  let saidAt = -Infinity;
  /** The question that is wholly on the screen, and since when. */
  let seen: { event: string; since: number } | undefined;

  const over = new Promise<void>((resolve, reject) => {
    /** An error in a callback ends the board, too. */
    const guarded =
      <Args extends unknown[]>(run: (...args: Args) => void | Promise<void>) =>
      (...args: Args): void => {
        try {
          Promise.resolve(run(...args)).catch(reject);
        } catch (error) {
          reject(error);
        }
      };
    const screen = openFullScreen({ key: guarded(onKey), resized: guarded(draw), ended: resolve });
    ends.push(screen.close);

    function draw(): void {
      const now = clock.now();
      if (now - saidAt >= saysForMs) ui = { ...ui, says: undefined };
      const selected = selectedIn(rows, ui);
      if (selected !== undefined) ui = { ...ui, index: ui.selected === undefined ? 0 : rows.indexOf(selected) };
      const look = { ...screen.size(), isColor: io.isColor, nowMs: now, label: source.label, notice };
      const drawn = drawBoard(rows, selected, ui, look);
      screen.draw(drawn.rows);
      const { wholeQuestion: event } = drawn;
      seen = event === undefined ? undefined : seen?.event === event ? seen : { event, since: now };
    }

    function read(): void {
      readAt = clock.now();
      rows = source.read(readAt);
      draw();
      pauseMs = Math.max(gatherMs, (clock.now() - readAt) / maxReadingShare);
    }

    function say(says: string): void {
      ui = { ...ui, says };
      saidAt = clock.now();
      draw();
    }

    async function onKey(key: Parameters<typeof pressed>[0]): Promise<void> {
      const next = pressed(key, ui, rows, seen?.event);
      if (next.act?.kind === "answer" && next.act.choice === "allow" && clock.now() - (seen?.since ?? 0) < readingMs) {
        return say("This question has just come: read it, then press a again.");
      }
      if (next.ui.says !== undefined) saidAt = clock.now();
      const row = selectedIn(rows, next.ui);
      ui = next.ui;
      draw();
      if (next.act !== undefined) await run(next.act, row);
    }

    async function run(act: Act, row: BoardRow | undefined): Promise<void> {
      if (act.kind === "quit") return resolve();
      if (act.kind === "suspend") return screen.suspend();
      try {
        const { says, isOver: isInTheWay } = await done(act, row);
        read();
        if (isInTheWay === true) resolve();
        else say(says);
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        say([error.message, error.hint].filter(Boolean).join("; "));
      }
    }

    const tick = guarded(async (): Promise<void> => {
      cancelTick = clock.after(drawEveryMs, tick);
      // Busy sessions are read more often, their rules are not.
      const now = clock.now();
      if (now - rulesAt >= readEveryMs) {
        rulesAt = now;
        notice = await source.readRules();
        if (!isOver) read();
      } else if (now - readAt >= readEveryMs) read();
      else draw();
    });
    tick();
    let cancelRead: (() => void) | undefined;
    ends.push(
      source.watch(() => {
        cancelRead ??= clock.after(pauseMs, () => {
          cancelRead = undefined;
          guarded(read)();
        });
      }),
      () => cancelRead?.(),
    );
    if (stop.aborted) resolve();
    else stop.addEventListener("abort", () => resolve(), { once: true });
  });

  async function done(act: Act, row: BoardRow | undefined): Promise<{ says: string; isOver?: boolean }> {
    if (act.kind === "page") return { says: await source.openPage() };
    if (row === undefined) return { says: "" };
    if (act.kind === "go") return await source.go(row);
    if (act.kind === "mute") return { says: await source.mute(row) };
    const open = act.kind === "answer" ? row.questions.find(({ event }) => event === act.event)?.open : undefined;
    if (act.kind !== "answer" || open === undefined) return { says: "This question is over." };
    const said = await source.answer(open, act);
    const says = row.place === "" ? said : `${row.place}: ${said.replace(/^./, (first) => first.toLowerCase())}`;
    // The next one that needs the person comes first.
    ui = { ...ui, selected: undefined };
    return { says };
  }

  try {
    await over;
  } finally {
    isOver = true;
    cancelTick();
    for (const end of ends) end();
  }
}
