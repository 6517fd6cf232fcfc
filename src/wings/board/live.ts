// The board on the whole terminal: reads when something changes, draws, and does what the keys say.
import type { BoardRow } from "../../overview/board.ts";
import { UserError } from "../../model/errors.ts";
import { type FullScreen, openFullScreen } from "../../system/terminal/full-screen.ts";
import type { CommandIo } from "../../console/command-io.ts";
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

/** Resolves when the user quits or the process is told to end; the terminal is as before then, also after an error. */
export async function showBoard(source: BoardSource, io: CommandIo): Promise<void> {
  await new LiveBoard(source, io).untilOver();
}

class LiveBoard {
  private readonly source: BoardSource;
  private readonly io: CommandIo;
  private readonly over: Promise<void>;
  private end = (): void => {};
  private fail = (_error: unknown): void => {};
  private readonly screen: FullScreen;
  private ui: Ui = firstUi;
  private rows: BoardRow[] = [];
  private notice: string | undefined;
  private readAt = -Infinity;
  private rulesAt = -Infinity;
  private pauseMs = gatherMs;
  private saidAt = -Infinity;
  /** The question that is wholly on the screen, and since when. */
  private seen: { event: string; since: number } | undefined;
  private isOver = false;
  private cancelTick = (): void => {};
  private cancelRead: (() => void) | undefined;

  constructor(source: BoardSource, io: CommandIo) {
    this.source = source;
    this.io = io;
    this.over = new Promise((resolve, reject) => {
      this.end = resolve;
      this.fail = reject;
    });
    this.screen = openFullScreen({
      key: (key) => this.guarded(() => this.onKey(key)),
      resized: () => this.guarded(() => this.draw()),
      ended: () => this.end(),
    });
  }

  async untilOver(): Promise<void> {
    const stop = this.io.untilStopped();
    const unwatch = this.source.watch(() => this.readSoon());
    try {
      this.guarded(() => this.tick());
      if (stop.aborted) this.end();
      else stop.addEventListener("abort", () => this.end(), { once: true });
      await this.over;
    } finally {
      this.isOver = true;
      this.cancelTick();
      this.screen.close();
      unwatch();
      this.cancelRead?.();
    }
  }

  /** An error in a callback ends the board, too. */
  private guarded(run: () => void | Promise<void>): void {
    try {
      Promise.resolve(run()).catch((error: unknown) => this.fail(error));
    } catch (error) {
      this.fail(error);
    }
  }

  private async tick(): Promise<void> {
    const now = this.io.clock.now();
    this.cancelTick = this.io.clock.after(drawEveryMs, () => this.guarded(() => this.tick()));
    // Busy sessions are read more often, their rules are not.
    if (now - this.rulesAt >= readEveryMs) {
      this.rulesAt = now;
      this.notice = await this.source.readRules();
      if (!this.isOver) this.read();
    } else if (now - this.readAt >= readEveryMs) this.read();
    else this.draw();
  }

  private readSoon(): void {
    this.cancelRead ??= this.io.clock.after(this.pauseMs, () => {
      this.cancelRead = undefined;
      this.guarded(() => this.read());
    });
  }

  private read(): void {
    const { clock } = this.io;
    this.readAt = clock.now();
    this.rows = this.source.read(this.readAt);
    this.draw();
    this.pauseMs = Math.max(gatherMs, (clock.now() - this.readAt) / maxReadingShare);
  }

  private draw(): void {
    const now = this.io.clock.now();
    if (now - this.saidAt >= saysForMs) this.ui = { ...this.ui, says: undefined };
    const { rows, notice, source, screen } = this;
    const selected = selectedIn(rows, this.ui);
    if (selected !== undefined) {
      this.ui = { ...this.ui, index: this.ui.selected === undefined ? 0 : rows.indexOf(selected) };
    }
    const look = { ...screen.size(), isColor: this.io.isColor, nowMs: now, label: source.label, notice };
    const drawn = drawBoard(rows, selected, this.ui, look);
    screen.draw(drawn.rows);
    const { wholeQuestion: event } = drawn;
    this.seen = event === undefined ? undefined : this.seen?.event === event ? this.seen : { event, since: now };
  }

  private say(says: string): void {
    this.ui = { ...this.ui, says };
    this.saidAt = this.io.clock.now();
    this.draw();
  }

  private async onKey(key: Parameters<typeof pressed>[0]): Promise<void> {
    const now = this.io.clock.now();
    const next = pressed(key, this.ui, this.rows, this.seen?.event);
    if (next.act?.kind === "answer" && next.act.choice === "allow" && now - (this.seen?.since ?? 0) < readingMs) {
      return this.say("This question has just come: read it, then press a again.");
    }
    if (next.ui.says !== undefined) this.saidAt = now;
    const row = selectedIn(this.rows, next.ui);
    this.ui = next.ui;
    this.draw();
    if (next.act !== undefined) await this.run(next.act, row);
  }

  private async run(act: Act, row: BoardRow | undefined): Promise<void> {
    if (act.kind === "quit") return this.end();
    if (act.kind === "suspend") return this.screen.suspend();
    try {
      const { says, isOver } = await this.done(act, row);
      this.read();
      if (isOver === true) this.end();
      else this.say(says);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      this.say([error.message, error.hint].filter(Boolean).join("; "));
    }
  }

  /** `isOver`: the board stands in the way of what was opened. */
  private async done(act: Act, row: BoardRow | undefined): Promise<{ says: string; isOver?: boolean }> {
    if (act.kind === "page") return { says: await this.source.openPage() };
    if (row === undefined) return { says: "" };
    if (act.kind === "go") return await this.source.go(row);
    if (act.kind === "mute") return { says: await this.source.mute(row) };
    const open = act.kind === "answer" ? row.questions.find(({ event }) => event === act.event)?.open : undefined;
    if (act.kind !== "answer" || open === undefined) return { says: "This question is over." };
    const said = await this.source.answer(open, act);
    const says = row.place === "" ? said : `${row.place}: ${said.replace(/^./, (first) => first.toLowerCase())}`;
    // The next one that needs the user comes first.
    this.ui = { ...this.ui, selected: undefined };
    return { says };
  }
}
