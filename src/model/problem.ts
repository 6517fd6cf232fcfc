// One problem in a file or payload; rendering is separate, so that all can be shown at once.
export interface Problem {
  /** Where in the document, such as `channels.team.url`; empty for the whole. */
  path: string;
  /** What is wrong and what was expected, without a full stop. */
  message: string;
  /** How to fix it, if known. */
  hint?: string;
  /** `error` by default. */
  severity?: "error" | "warning";
  /** 0-based offset and length in the source text. */
  offset?: number;
  length?: number;
}
