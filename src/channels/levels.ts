// How each level looks: its word, colours and signs.
import type { Level } from "../model/level.ts";

/** How a level looks and sounds where several channels show it alike. */
interface LevelLook {
  word: string;
  /** The colour as a character, for plain text. */
  mark: string;
  /** `#RRGGBB`, for bars and dots. */
  colour: string;
  /** Darker, for letters on white and on black. */
  textColour: string;
  /** Whether the vendor is asked for no sound and no push. */
  isQuiet: boolean;
  /** Whether a notification stays on the screen until it is closed. */
  isKept: boolean;
  /** Whether a mail is marked as important. */
  isImportant: boolean;
  /** A file of `sounds/`, without its ending. */
  sound: "complete" | "attention" | "error";
  /** https://specifications.freedesktop.org/notification-spec/latest/urgency-levels.html; kitty's `u` is the same. */
  urgency: "low" | "normal" | "critical";
}

/** A vendor's own scale (a priority, a severity) is in that vendor's folder. */
export const levelLooks: Readonly<Record<Level, LevelLook>> = {
  info: {
    word: "Info",
    mark: "🔵",
    colour: "#439FE0",
    textColour: "#3B7DD8",
    isQuiet: true,
    isKept: false,
    isImportant: false,
    sound: "complete",
    urgency: "low",
  },
  success: {
    word: "Done",
    mark: "🟢",
    colour: "#2EB67D",
    textColour: "#238A52",
    isQuiet: false,
    isKept: false,
    isImportant: false,
    sound: "complete",
    urgency: "normal",
  },
  attention: {
    word: "Needs you",
    mark: "🟡",
    colour: "#E8A317",
    textColour: "#B86E00",
    isQuiet: false,
    isKept: true,
    isImportant: true,
    sound: "attention",
    urgency: "normal",
  },
  error: {
    word: "Failed",
    mark: "🔴",
    colour: "#D64545",
    textColour: "#D64545",
    isQuiet: false,
    isKept: true,
    isImportant: true,
    sound: "error",
    urgency: "critical",
  },
};
