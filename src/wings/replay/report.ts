// What `hookbell replay --json` prints, and the page shows. It imports nothing, so that web/ can read it.

export interface ReplayFigures {
  notifications: number;
  /** How many notifications no attempt has delivered. */
  notArrived: number;
  /** Notifications by local day (`2026-11-23`) and channel. */
  perDay: Record<string, Record<string, number>>;
  atNight: number;
  questions: QuestionFigures;
}

export interface QuestionFigures {
  asked: number;
  notified: number;
  /** Milliseconds from the question to the first channel that got it. Undefined where none was told. */
  medianMs: number | undefined;
  latestMs: number | undefined;
}

/** Milliseconds from a question to the first channel that got it. Undefined where none was told. */
export interface QuestionDelays {
  wasMs: number | undefined;
  wouldBeMs: number | undefined;
}

/** `laterMs` is set for what moved; it is negative if it comes earlier. */
export interface Change {
  what: "more" | "less" | "moved";
  laterMs?: number;
}

/** Times are in ISO 8601. */
export interface ReplayReport {
  /** The result in one sentence. */
  headline: string;
  from: string;
  to: string;
  events: number;
  /** What the replay had to assume. */
  notes: string[];
  presenceSince?: string | undefined;
  olderUntil?: string | undefined;
  was: ReplayFigures;
  wouldBe: ReplayFigures;
  /** Oldest first. */
  differences: ReportedDifference[];
  /** Oldest first. */
  questions: ReportedQuestion[];
}

/** `at` is when it was asked. `text` is untrusted. */
export interface ReportedQuestion extends QuestionDelays {
  at: string;
  text: string;
}

export interface ReportedDifference extends Change {
  at: string;
  event: string;
  channel: string;
  /** Untrusted words, such as the project and what the agent said. */
  about: Record<string, string>;
  /** `about` in one line. */
  text: string;
}
