// How a terminal shows notifications, read from the environment.
import type { Environment } from "../../../system/environment.ts";

/** An escape sequence of iTerm2, of urxvt, of kitty, or the bell alone. */
export const terminalStyles = ["osc9", "osc777", "osc99", "bel"] as const;
export type TerminalStyle = (typeof terminalStyles)[number];

export interface TerminalManner {
  style: TerminalStyle;
  /** The multiplexer that has to pass the sequence on. */
  inside: "tmux" | "screen" | undefined;
  /** Whether the terminal may not show the sequence, so that the bell should ring as well. */
  isUncertain: boolean;
}

/** `TERM` names the innermost terminal. */
const styleByTerm: readonly [RegExp, TerminalStyle][] = [
  [/^xterm-kitty$/, "osc99"],
  [/^(xterm-ghostty|wezterm|foot|contour|rxvt-unicode)/, "osc777"],
  [/^(alacritty|linux|dumb|vt\d+)/, "bel"],
];

const styleByProgram: Readonly<Record<string, TerminalStyle>> = {
  "iTerm.app": "osc9",
  ghostty: "osc777",
  WezTerm: "osc777",
  WarpTerminal: "osc777",
  vscode: "bel",
  Apple_Terminal: "bel",
};

/** What the agent's environment says about its terminal; an unknown one gets the most common sequence. */
export function mannerOf(env: Environment): TerminalManner {
  const inside = env.TMUX ? "tmux" : env.STY ? "screen" : undefined;
  // Zellij passes no sequence on.
  if (env.ZELLIJ !== undefined) return { style: "bel", inside: undefined, isUncertain: false };
  const known = knownStyle(env);
  return { style: known ?? "osc777", inside, isUncertain: known === undefined || inside !== undefined };
}

function knownStyle(env: Environment): TerminalStyle | undefined {
  const byTerm = styleByTerm.find(([pattern]) => pattern.test(env.TERM ?? ""));
  if (byTerm !== undefined) return byTerm[1];
  const program = env.TERM_PROGRAM ?? "";
  if (Object.hasOwn(styleByProgram, program)) return styleByProgram[program];
  if (env.KITTY_WINDOW_ID) return "osc99";
  if (env.LC_TERMINAL === "iTerm2") return "osc9";
  // Sources disagree on whether it shows OSC 9.
  if (env.WT_SESSION) return "bel";
  if (env.KONSOLE_VERSION) return "osc777";
  // VTE_VERSION says nothing: only some distributions add notifications to VTE.
  return undefined;
}
