// One problem in a file or payload.
export interface Problem {
  /** Such as `channels.team.url`; empty for the whole. */
  path: string;
  /** What is wrong and what was expected. */
  message: string;
  hint?: string;
  /** `error` by default. */
  severity?: "error" | "warning";
  /** 0-based offset and length in the source text. */
  offset?: number;
  length?: number;
}
