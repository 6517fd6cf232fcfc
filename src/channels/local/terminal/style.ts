import type { Environment } from "../../../system/environment.ts";

/** How a terminal is told: by an escape sequence of iTerm2's, of urxvt's, of kitty's, or by its bell alone. */
export const terminalStyles = ["osc9", "osc777", "osc99", "bel"] as const;
export type TerminalStyle = (typeof terminalStyles)[number];

export interface TerminalManner {
  style: TerminalStyle;
  /** What stands between and has to be told to pass a sequence on. */
  inside: "tmux" | "screen" | undefined;
  /** Whether nobody knows that the sequence is shown, so that the bell should ring, too. */
  isUncertain: boolean;
}

/** `TERM` is the innermost terminal's own word, where it names one. */
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

/** What the variables of the agent's environment say about its terminal; what names none is asked as most understand it. */
export function mannerOf(env: Environment): TerminalManner {
  const inside = env.TMUX ? "tmux" : env.STY ? "screen" : undefined;
  // Zellij passes nothing on.
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
  // Whether it shows OSC 9 is in dispute.
  if (env.WT_SESSION) return "bel";
  if (env.KONSOLE_VERSION) return "osc777";
  // VTE_VERSION says nothing: only some distributions have added notifications to it.
  return undefined;
}
