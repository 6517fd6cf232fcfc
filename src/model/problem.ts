/** One thing wrong with what a person or an agent gave us; rendering is separate, so that all can be shown at once. */
export interface Problem {
  /** Where in the document: `channels.team.url`, or empty for the whole. */
  path: string;
  /** What is wrong and what was expected, as one sentence part without a full stop. */
  message: string;
  /** How to fix it, when that is known: a did-you-mean, say. */
  hint?: string;
  /** `error` when it is not said: a warning breaks nothing. */
  severity?: "error" | "warning";
  /** 0-based offset and length in the source text, where there is one. */
  offset?: number;
  length?: number;
}
