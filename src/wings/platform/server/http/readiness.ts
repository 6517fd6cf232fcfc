// Readiness reports: the documented list, and the extension that stores one.
import { checkReport, isStored, listReports, storeReport } from "../store/reports.ts";
import { maxListedReports, operations } from "./operations.ts";
import type { App } from "../../../../http-server/served.ts";
import type { KeyGuard } from "./guard.ts";
import type { PlatformParts } from "./parts.ts";
import { readQuery } from "./query.ts";
import { HttpProblem } from "../../../../http-server/problems.ts";
import { parseJson } from "../../../../http-server/read-body.ts";
import { streamJson } from "../../../../http-server/stream-json.ts";

export function addReadiness(app: App, { database, clock }: PlatformParts, guard: KeyGuard): void {
  const { listReadinessReports: list, storeReadinessReport: store } = operations;
  app.get(list.path, (context) => {
    guard.requireKey(context, list.roles);
    const { repoId, limit, startAfter } = readQuery(context, list.query);
    const reports = listReports(database, { repoId, limit: Math.min(limit, maxListedReports), startAfter });
    if (reports === undefined) throw new HttpProblem(400, "startAfter: there is no report with this id");
    return streamJson('{"reports":[', reports, "]}");
  });
  app.post(store.path, async (context) => {
    const key = guard.requireKey(context, store.roles);
    const checked = checkReport(parseJson(await guard.readText(context, key.name, store.maxBodyBytes)), clock.now());
    if ("problem" in checked) throw new HttpProblem(400, checked.problem);
    const { report } = checked;
    const isKnown = isStored(database, report);
    if (!isKnown) {
      guard.limitReports(key.name);
      storeReport(database, report);
    }
    return context.json({ reportId: report.reportId }, isKnown ? store.repeatedStatus : store.success.status);
  });
}
