// Readiness reports: the documented list, and the extension that stores one.
import * as z from "zod";
import { endpoints } from "../../contract/endpoints.ts";
import { checkReport, listReports, problemsOf, reportLimits, storeReport } from "../store/reports.ts";
import type { App, AppParts, Guard } from "./parts.ts";
import { extensions } from "./extensions.ts";
import { HttpProblem } from "./problems.ts";
import { parseJson } from "./read-body.ts";
import { streamJson } from "./stream-json.ts";

/** The document gives neither a default nor a maximum. */
export const reportsLimit = { default: 20, max: 100 } as const;

const querySchema = z.object({
  repoId: z.string().min(1).max(1000).optional(),
  limit: z
    .string()
    .regex(/^0*[1-9]\d{0,8}$/, "expected a positive whole number")
    .transform((text) => Math.min(Number(text), reportsLimit.max))
    .optional(),
  startAfter: z.guid("expected the id of a report").optional(),
});

export function addReadiness(app: App, { database }: AppParts, guard: Guard): void {
  app.get(endpoints.listReadinessReports.path, (context) => {
    guard.requireKey(context, endpoints.listReadinessReports.roles);
    const { repoId, limit, startAfter } = context.req.query();
    const query = querySchema.safeParse({ repoId, limit, startAfter });
    if (!query.success) throw new HttpProblem(400, problemsOf(query.error));
    const reports = listReports(database, { ...query.data, limit: query.data.limit ?? reportsLimit.default });
    if (reports === undefined) throw new HttpProblem(400, "startAfter: there is no report with this id");
    return streamJson('{"reports":[', reports, "]}");
  });
  const { path, roles, success, repeatedStatus } = extensions.storeReadinessReport;
  app.post(path, async (context) => {
    const key = guard.requireKey(context, roles);
    const checked = checkReport(parseJson(await guard.readText(context, key, reportLimits.bytes)));
    if ("problem" in checked) throw new HttpProblem(400, checked.problem);
    const isNew = storeReport(database, checked.report);
    return context.json({ reportId: checked.report.reportId }, isNew ? success.status : repeatedStatus);
  });
}
