// The operations of this server, for its routes and its OpenAPI document: the platform's, with what its document leaves
// open, and what this server offers beyond. docs/reference/SERVER.md describes both.
import * as z from "zod";
import { analyticsErrorSchema } from "../../contract/analytics.ts";
import { endpoints, extensions, soFarParameter, wholeNumber, type ApiRole } from "../../contract/endpoints.ts";
import { countedSchema } from "../store/events.ts";
import { reportLimits, storedReportSchema } from "../store/reports.ts";

/** Guests read, and neither store nor start anything. */
const senders: readonly ApiRole[] = ["Owner", "Manager", "Member"];

/** The document has no maximum, so a larger `limit` is no error. */
export const maxListedReports = 100;

const maxBodyBytes = 1024 * 1024;

const carrierSchema = z.union([
  /** Standard Webhooks, and CloudEvents with everything in the body. */
  z.looseObject({ data: z.looseObject({ event: countedSchema }) }).transform(({ data }) => data.event),
  /** CloudEvents with the attributes in headers. */
  z.looseObject({ event: countedSchema }).transform(({ event }) => event),
]);

/** The platform has no figures of today. This server has them for those who ask for what there is so far. */
const soFar = {
  [soFarParameter]: z.literal("true").describe("today may be asked for: its figures so far").optional(),
};
const { getTokens, getTools, getActivity, getProductivity, getUsers, listReadinessReports } = endpoints;

export const operations = {
  ...endpoints,
  retryInstallDeps: { ...endpoints.retryInstallDeps, roles: senders },
  getTokens: { ...getTokens, query: getTokens.query.extend(soFar) },
  getTools: { ...getTools, query: getTools.query.extend(soFar) },
  getActivity: { ...getActivity, query: getActivity.query.extend(soFar) },
  getProductivity: { ...getProductivity, query: getProductivity.query.extend(soFar) },
  getUsers: { ...getUsers, query: getUsers.query.extend({ cursor: z.string().max(200).optional(), ...soFar }) },
  listReadinessReports: {
    ...listReadinessReports,
    query: listReadinessReports.query.extend({
      repoId: z.string().min(1).max(1000).optional(),
      limit: wholeNumber(1)
        .default(20)
        .describe(`an answer has at most ${maxListedReports} reports, also if more are asked for`),
      startAfter: z.guid().optional(),
    }),
  },
  ...extensions,
  storeReadinessReport: {
    method: "POST",
    path: "/api/extensions/readiness-reports",
    roles: senders,
    body: storedReportSchema,
    maxBodyBytes: reportLimits.bytes,
    success: { status: 201, body: z.object({ reportId: z.string() }) },
    /** The report was stored before. */
    repeatedStatus: 200,
    errors: { statuses: [400, 401, 403, 413, 429, 500, 503], body: analyticsErrorSchema },
    summary: "Store a readiness report; one that is stored already stays as it is",
  },
  receiveEvent: {
    method: "POST",
    path: "/api/extensions/events/{user}",
    roles: senders,
    /** The `webhook` channel sends this body. */
    body: carrierSchema,
    maxBodyBytes,
    success: { status: 204, body: undefined },
    errors: { statuses: [400, 401, 403, 413, 429, 500, 503], body: analyticsErrorSchema },
    summary: "Count an event of another machine; the request is signed with the user's signing secret",
    credential: "signature",
  },
} as const;
