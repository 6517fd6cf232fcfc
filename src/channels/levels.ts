import type { Level } from "../model/level.ts";

/** Everything a level is said with: in words, colours and signs, and as loudly as each vendor can. */
interface LevelLook {
  word: string;
  /** The colour as a character, for vendors that show nothing but text. */
  mark: string;
  /** `#RRGGBB`, for bars and dots. */
  colour: string;
  /** The same for letters: darker, so that it can be read on white and on black. */
  textColour: string;
  /** Whether it shall ring nothing, where the vendor can be told: Telegram, Discord, Mattermost. */
  isQuiet: boolean;
  /** Whether a mail is marked as important. */
  isImportant: boolean;
  /** Of `sounds/`, without its ending. */
  sound: "complete" | "attention" | "error";
  /** https://specifications.freedesktop.org/notification-spec/latest/urgency-levels.html; kitty's `u` is the same. */
  urgency: "low" | "normal" | "critical";
  /** https://specifications.freedesktop.org/icon-naming-spec/latest/ */
  icon: string;
  /** https://sw.kovidgoyal.net/kitty/desktop-notifications/#icons */
  kittyIcon: "info" | "warning" | "error";
  /** https://adaptivecards.io/explorer/TextRun.html */
  teamsColour: "Accent" | "Good" | "Warning" | "Attention";
  /** https://open.feishu.cn/document/common-capabilities/message-card/message-cards-content/card-header */
  feishuTemplate: "blue" | "green" | "orange" | "red";
  /** https://developers.mattermost.com/integrate/reference/message-priority/ */
  mattermostPriority: "important" | "urgent" | undefined;
  /** https://docs.ntfy.sh/publish/#message-priority, and a short code of https://docs.ntfy.sh/emojis/ */
  ntfy: { priority: 1 | 2 | 3 | 4 | 5; tags: readonly string[] };
  /** https://pushover.net/api#priority: -1 makes no sound, 1 passes through quiet hours; 2 would ring until somebody confirms it. */
  pushoverPriority: -1 | 0 | 1;
  /** Gotify's app is silent at 0, shows 1 to 3 quietly, sounds from 4 on and pops up from 8 on. */
  gotifyPriority: number;
  /** https://bark.day.app/#/en-us/tutorial: passive does not light the screen, timeSensitive passes through a focus. */
  barkLevel: "passive" | "active" | "timeSensitive";
  /** https://developer.pagerduty.com/docs/send-alert-event; without one, the session's incident is over. */
  pagerdutySeverity: "warning" | "error" | undefined;
}

/** The one table of levels: whatever a channel shows of a level, it takes from here. */
export const levelLooks: Readonly<Record<Level, LevelLook>> = {
  info: {
    word: "Info",
    mark: "🔵",
    colour: "#439FE0",
    textColour: "#3B7DD8",
    isQuiet: true,
    isImportant: false,
    sound: "complete",
    urgency: "low",
    icon: "dialog-information",
    kittyIcon: "info",
    teamsColour: "Accent",
    feishuTemplate: "blue",
    mattermostPriority: undefined,
    ntfy: { priority: 2, tags: [] },
    pushoverPriority: -1,
    gotifyPriority: 2,
    barkLevel: "passive",
    pagerdutySeverity: undefined,
  },
  success: {
    word: "Done",
    mark: "🟢",
    colour: "#2EB67D",
    textColour: "#238A52",
    isQuiet: false,
    isImportant: false,
    sound: "complete",
    urgency: "normal",
    icon: "dialog-information",
    kittyIcon: "info",
    teamsColour: "Good",
    feishuTemplate: "green",
    mattermostPriority: undefined,
    ntfy: { priority: 3, tags: ["white_check_mark"] },
    pushoverPriority: 0,
    gotifyPriority: 4,
    barkLevel: "active",
    pagerdutySeverity: undefined,
  },
  attention: {
    word: "Needs you",
    mark: "🟡",
    colour: "#E8A317",
    textColour: "#B86E00",
    isQuiet: false,
    isImportant: true,
    sound: "attention",
    urgency: "normal",
    icon: "dialog-warning",
    kittyIcon: "warning",
    teamsColour: "Warning",
    feishuTemplate: "orange",
    mattermostPriority: "important",
    ntfy: { priority: 4, tags: ["warning"] },
    pushoverPriority: 1,
    gotifyPriority: 6,
    barkLevel: "timeSensitive",
    pagerdutySeverity: "warning",
  },
  error: {
    word: "Failed",
    mark: "🔴",
    colour: "#D64545",
    textColour: "#D64545",
    isQuiet: false,
    isImportant: true,
    sound: "error",
    urgency: "critical",
    icon: "dialog-error",
    kittyIcon: "error",
    teamsColour: "Attention",
    feishuTemplate: "red",
    mattermostPriority: "urgent",
    ntfy: { priority: 5, tags: ["rotating_light"] },
    pushoverPriority: 1,
    gotifyPriority: 8,
    barkLevel: "timeSensitive",
    pagerdutySeverity: "error",
  },
};
