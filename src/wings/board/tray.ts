// `hookbell tray`: an icon in the desktop's tray that counts the sessions that need you; a click opens the board.
import { pageOrigin } from "../../answers/browsers/open-page.ts";
import { questionsFolder } from "../../answers/questions.ts";
import type { BoardRow } from "../../overview/board.ts";
import { sessionKey } from "../../channels/session-message.ts";
import { type ExitCode, exitCodes, UserError } from "../../model/errors.ts";
import { printableLine } from "../../model/text.ts";
import { ensureLayout, layoutOf, type Layout } from "../../outbox/layout.ts";
import { cliCommand } from "../../system/bundle.ts";
import { findSessionBuses } from "../../system/desktop/session-bus.ts";
import { showInTray, type TrayLook } from "../../system/desktop/tray-item.ts";
import { ensurePrivateDir } from "../../system/files/files.ts";
import { findProgram } from "../../system/process/find-program.ts";
import { startDetached } from "../../system/process/start/start-detached.ts";
import { openLink } from "../../system/terminal/open-link.ts";
import { parseArguments } from "../../console/arguments.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { count } from "../../console/output/text.ts";
import { boardCommands } from "./help.ts";
import { stateSource } from "./source.ts";
import { drawCount } from "./tray-icon.ts";

/** Several files change at once. */
const gatherMs = 250;

export async function tray(args: string[], io: CommandIo): Promise<ExitCode> {
  parseArguments(args, boardCommands.tray.flags, 0);
  const layout = layoutOf(io.places.stateDir);
  // A folder that is not there could not be watched.
  ensureLayout(layout);
  ensurePrivateDir(questionsFolder(layout));
  const source = stateSource(io);
  const waiting = (): BoardRow[] => source.read(io.clock.now()).filter(({ group }) => group === "needsYou");
  const session = await showInTray(findSessionBuses(io.env), io.untilStopped(), {
    look: () => lookOf(waiting().length),
    watch(onChange) {
      let cancel: (() => void) | undefined;
      const unwatch = source.watch(() => {
        cancel ??= io.clock.after(gatherMs, () => {
          cancel = undefined;
          onChange();
        });
      });
      return () => {
        cancel?.();
        unwatch();
      };
    },
    onClick: (token) => open(waiting(), layout, token, io),
  });
  switch (session.status) {
    // A desktop that ends, and Ctrl+C, are no failures.
    case "broken":
    case "timedOut":
      return exitCodes.done;
    case "noBus":
      throw noTray(`no D-Bus session bus (${session.detail})`, "run it on your desktop, as yourself");
    case "refused":
      throw noTray(printableLine(session.error.message), "start the desktop's panel again");
    case "done":
      throw session.value === "noTray"
        ? noTray(
            "this desktop has no tray (no StatusNotifierWatcher is on the session bus)",
            "KDE Plasma, Xfce, Cinnamon, MATE and waybar have one; for GNOME, install the extension AppIndicator",
          )
        : noTray("hookbell's icon is in the tray already", "end the other one first");
  }
}

function noTray(message: string, hint: string): UserError {
  return new UserError("tray.none", message, { hint });
}

function lookOf(needing: number): TrayLook {
  const title =
    needing === 0 ? "no session needs you" : `${count(needing, "session")} ${needing === 1 ? "needs" : "need"} you`;
  return {
    title,
    label: needing === 0 ? "" : String(needing),
    needsAttention: needing > 0,
    pixels: drawCount(needing),
  };
}

/** How to run a command in each terminal. The first two start the one that the person has chosen. */
const terminals = [
  ["xdg-terminal-exec"],
  ["x-terminal-emulator", "-e"],
  ["konsole", "-e"],
  ["gnome-terminal", "--"],
  ["xterm", "-e"],
] as const;

/** The page, if it is served: at the session, if only one needs the person. Else the board in a terminal. */
function open(waiting: readonly BoardRow[], layout: Layout, token: string | undefined, io: CommandIo): void {
  const { env, platform } = io;
  const origin = pageOrigin(layout);
  if (origin !== undefined) {
    const [only, second] = waiting;
    const at = only !== undefined && second === undefined ? `#session=${sessionKey({ ...only.record, id: "" })}` : "";
    if (openLink(`${origin}/${at}`, env, platform, token)) return;
  }
  for (const [name, ...flags] of terminals) {
    const program = findProgram(name, env, platform);
    if (program === undefined) continue;
    startDetached([program, ...flags, ...cliCommand("board")], io.places.home, env);
    return;
  }
}
