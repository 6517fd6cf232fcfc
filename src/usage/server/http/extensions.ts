// What this server offers beyond the platform's document. docs/SERVER.md describes it.
import * as z from "zod";
import { analyticsErrorSchema } from "../../contract/analytics.ts";
import { computerSchema } from "../../contract/computers.ts";
import { readinessReportSchema } from "../../contract/readiness.ts";
import { roles, type Role } from "../../contract/endpoints.ts";

/** Guests only read. */
const senders: readonly Role[] = ["Owner", "Manager", "Member"];

export const extensions = {
  listComputers: {
    method: "GET",
    path: "/api/extensions/computers",
    roles,
    success: { status: 200, body: z.object({ computers: z.array(computerSchema) }) },
    errors: { statuses: [401, 429, 500], body: analyticsErrorSchema },
    summary: "The computers of this server, each with the state of its last install session",
  },
  storeReadinessReport: {
    method: "POST",
    path: "/api/extensions/readiness-reports",
    roles: senders,
    body: readinessReportSchema,
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
    /** Standard Webhooks or CloudEvents, as the `webhook` channel sends them. */
    body: z.looseObject({ data: z.looseObject({ event: z.looseObject({}) }) }),
    success: { status: 204, body: undefined },
    errors: { statuses: [400, 401, 403, 413, 429, 500, 503], body: analyticsErrorSchema },
    summary: "Count an event of another machine; the request is signed with the user's signing secret",
  },
} as const;
