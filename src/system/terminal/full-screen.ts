// The whole terminal for one program: a screen of its own, keys one at a time, and the terminal as it was before, however the program ends.

export interface KeyPress {
  /** Such as `up`, `return`, `escape` or `a`; empty for a character without a name. */
  name: string;
  /** What it types; empty for keys that type nothing. */
  text: string;
  isCtrl: boolean;
  isPasted: boolean;
}

export interface FullScreen {
  size(): { columns: number; rows: number };
  /** Writes only the rows that differ from the ones before; nothing once it is closed. Longer ones are clipped by the terminal. */
  draw(rows: readonly string[]): void;
  /** Stops this process as Ctrl-Z does elsewhere; returns when the shell continues it. */
  suspend(): void;
  close(): void;
}

const escape = "\u001B[";
/** The terminal shows another screen, no cursor, no wrapping at the right edge, and marks around what is pasted. */
const enter = `${escape}?1049h${escape}?25l${escape}?7l${escape}?2004h`;
const leave = `${escape}?2004l${escape}?7h${escape}?25h${escape}?1049l`;
/** Terminals that know these marks show a frame at once: https://github.com/contour-terminal/vt-extensions/blob/master/synchronized-output.md */
const frame = { begin: `${escape}?2026h`, end: `${escape}?2026l` };

/** A terminal sends the rest of a key's sequence at once; SSH may split it. */
const escapeWaitMs = 100;

/** Both standard input and output must be a terminal. */
export function openFullScreen(on: {
  key: (key: KeyPress) => void;
  resized: () => void;
  ended: () => void;
}): FullScreen {
  const { stdin, stdout } = process;
  let drawn: readonly string[] = [];
  let isPasted = false;
  let isOpen = false;

  const open = (): void => {
    isOpen = true;
    stdin.setRawMode(true);
    stdin.resume();
    drawn = [];
    stdout.write(`${enter}${escape}2J`);
  };
  const restore = (): void => {
    if (!isOpen) return;
    isOpen = false;
    stdout.write(leave);
    try {
      stdin.setRawMode(false);
    } catch {
      // The terminal was closed in the meantime.
    }
  };
  const onKey = (text: string | undefined, { name = "", ctrl = false, meta = false, sequence = "" }: NodeKey): void => {
    if (name === "paste-start" || name === "paste-end") isPasted = name === "paste-start";
    else if (!meta || name === "escape") on.key({ name, text: typed(text ?? sequence), isCtrl: ctrl, isPasted });
  };
  const onResize = (): void => {
    drawn = [];
    stdout.write(`${escape}2J`);
    on.resized();
  };
  // A shell that continues a stopped program has set the terminal's mode anew.
  const onContinue = (): void => {
    if (!isOpen) return;
    open();
    on.resized();
  };

  process.getBuiltinModule("node:readline").emitKeypressEvents(stdin, { escapeCodeTimeout: escapeWaitMs } as never);
  stdin.on("keypress", onKey);
  stdin.once("end", on.ended);
  stdout.on("resize", onResize);
  process.on("SIGCONT", onContinue);
  process.once("exit", restore);
  // Node prints an error that nothing catches before it exits: it must not go to the screen that is left then.
  process.once("uncaughtExceptionMonitor", restore);
  open();

  return {
    size: () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 }),
    draw(rows) {
      if (!isOpen) return;
      const changed = rows.flatMap((row, index) =>
        row === drawn[index] ? [] : [`${escape}${index + 1};1H${escape}2K${row}`],
      );
      const isShorter = rows.length < drawn.length;
      if (isShorter) changed.push(`${escape}${rows.length + 1};1H${escape}J`);
      drawn = [...rows];
      if (changed.length > 0) stdout.write(`${frame.begin}${changed.join("")}${frame.end}`);
    },
    suspend() {
      restore();
      // The terminal stops the whole group, such as npx and the program that it runs.
      process.kill(0, "SIGTSTP");
      open();
      on.resized();
    },
    close() {
      restore();
      stdin.off("keypress", onKey);
      stdin.off("end", on.ended);
      stdin.pause();
      stdout.off("resize", onResize);
      process.off("SIGCONT", onContinue);
      process.off("exit", restore);
      process.off("uncaughtExceptionMonitor", restore);
    },
  };
}

interface NodeKey {
  name?: string | undefined;
  ctrl?: boolean;
  meta?: boolean;
  sequence?: string;
}

/** Sequences of keys and control characters type nothing. */
function typed(text: string): string {
  return /[\u0000-\u001F\u007F]/.test(text) ? "" : text;
}
