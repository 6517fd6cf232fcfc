// What the tab "Usage" shows of readiness reports: those stored on this server, and those of the platform.
import { docsUrl, UserError } from "../../../model/errors.ts";
import { platformVariables } from "../../../wing-settings/platform.ts";
import type { PlatformClient } from "../client/client.ts";
import type { ReadinessReport } from "../contract/readiness.ts";
import { describeReports } from "../readiness.ts";
import type { PlatformParts } from "../server/http/parts.ts";
import { listReports } from "../server/store/reports.ts";
import type { ReadinessOnPage } from "./contract.ts";

/** The newest ones; `hookbell readiness --all` prints all. */
const maxReports = 200;
/** However many browsers ask, the platform is asked so often at most. */
const keptMs = 60_000;

/** Undefined if none is configured. `onNote` hears what in its answers differs from the document. */
export type OpenPlatform = (onNote: (text: string) => void) => Promise<PlatformClient | undefined>;

export function createReadiness(
  { database, clock }: Pick<PlatformParts, "database" | "clock">,
  openPlatform: OpenPlatform,
): () => Promise<ReadinessOnPage> {
  let kept: { at: number; answer: Promise<{ reports: ReadinessReport[]; notes: string[] }> } | undefined;
  return async () => {
    if (kept === undefined || clock.now() - kept.at >= keptMs) {
      kept = { at: clock.now(), answer: askPlatform(openPlatform) };
    }
    const { reports, notes } = await kept.answer;
    const own = Array.from(listReports(database, { limit: maxReports }) ?? [], readReport);
    const known = new Map([...own, ...reports].map((report) => [report.reportId, report]));
    return { reports: describeReports([...known.values()]).slice(0, maxReports), notes };
  };
}

/** Reports were checked when they were stored. */
function readReport(bytes: Uint8Array): ReadinessReport {
  return JSON.parse(Buffer.from(bytes).toString("utf8")) as ReadinessReport;
}

async function askPlatform(openPlatform: OpenPlatform): Promise<{ reports: ReadinessReport[]; notes: string[] }> {
  const reports: ReadinessReport[] = [];
  const notes: string[] = [];
  try {
    const client = await openPlatform((text) => notes.push(text));
    if (client === undefined) {
      const { baseUrl, apiKey } = platformVariables;
      const how = `set ${baseUrl} and ${apiKey} for hookbell serve, or "platform" in the rules file (${docsUrl("reference/PLATFORM.md")}).`;
      return { reports, notes: [`These reports are stored on this server. To see your platform's as well, ${how}`] };
    }
    for await (const page of client.listReadinessReports({ maxReports })) reports.push(...page);
    return { reports, notes };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const why = [error.message, error.hint].filter(Boolean).join("; ");
    return { reports, notes: [...notes, `The platform's reports are missing: ${why}`] };
  }
}
