// What the tab "Usage" of the page asks for and is told, for the server and for web/. Times are milliseconds since the epoch.
import type { UsageCharts } from "../figures/charts.ts";
import type { DescribedReport } from "../readiness.ts";

/** What it adds to the tab "Now". */
export interface UsageNow {
  computers: readonly ComputerOnPage[];
  /** Views that say nothing to a person alone. */
  views: { users: boolean; readiness: boolean; computers: boolean };
}

/**
 * The answer to `GET /page/usage?of=...&from=...&to=...&grouped=...`: figures of an endpoint as charts. `from` is a day, `all`
 * or such as `30d`. `GET /page/usage.csv` has the rows behind them, for a spreadsheet.
 */
export interface UsageOnPage extends UsageCharts {
  startDate: string;
  endDate: string;
  /** `your own figures`, or of how many people they are. */
  whose: string;
  /** By what the figures can be grouped. */
  group?: { label: string; isGrouped: boolean } | undefined;
  /** What the reader has to know about the figures. */
  notes: readonly string[];
}

/** The answer to `GET /page/readiness`. */
export interface ReadinessOnPage {
  /** The newest first. */
  reports: readonly DescribedReport[];
  /** Sentences about where the reports come from, and what is missing. */
  notes: readonly string[];
}

/** A computer of this server, with its last installation. */
export interface ComputerOnPage {
  id: string;
  name: string;
  hostname: string;
  step: string;
  status: string;
  isRunning: boolean;
  startedAt?: number | undefined;
  completedAt?: number | undefined;
  /** Why it failed. */
  error?: string | undefined;
  /** The last line that it has printed, while it runs. */
  line?: string | undefined;
}

/** The body of `POST /page/install`. */
export interface ChosenComputer {
  computer: string;
}
