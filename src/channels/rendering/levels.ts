// How each level looks: its word, colours and signs.
import type { Level } from "../../model/level.ts";

/** Several channels show these alike. */
interface LevelLook {
  word: string;
  /** The colour in plain text. */
  mark: string;
  colour: string;
  /** Darker, for letters on white and on black. */
  textColour: string;
  isQuiet: boolean;
  /** The notification stays on the screen until it is closed. */
  isKept: boolean;
  isImportant: boolean;
  /** A file of `sounds/`. */
  sound: "complete" | "attention" | "error";
  /** https://specifications.freedesktop.org/notification-spec/latest/urgency-levels.html */
  urgency: "low" | "normal" | "critical";
}

/** A vendor's own scale is in its folder. */
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
