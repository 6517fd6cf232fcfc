// What the tab "What if" of the page asks for and is told, for the server and for web/.
import type { RulesProblem } from "../../../http-server/served.ts";
import type { ReplayReport } from "../report.ts";

/** The answer to `GET /page/rules`. */
export interface OwnRules {
  text: string;
  /** What is special about the text, as a sentence. */
  note?: string | undefined;
}

/** The body of `POST /page/replay`. */
export interface WhatIfAsked {
  days: 1 | 7 | 30;
  /** The text of a rules file. */
  rules: string;
}

/** The answer to `POST /page/replay` has one as JSON in each line. */
export type WhatIfLine =
  | { what: "working"; seconds: number }
  | { what: "refused"; text: string; problems: readonly RulesProblem[] }
  | { what: "report"; report: WhatIfReport };

/** `differences` and `questions` have the newest ones. */
export type WhatIfReport = ReplayReport & { differenceCount: number };
