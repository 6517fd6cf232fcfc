// The platform's seven operations, in one table for client and server.
import * as z from "zod";
import {
  activityByClientRowSchema,
  activityRowSchema,
  analyticsErrorSchema,
  envelopeOf,
  productivityRowSchema,
  tokensByModelRowSchema,
  tokensRowSchema,
  toolsByNameRowSchema,
  toolsRowSchema,
  usersEnvelopeSchema,
} from "./analytics.ts";
import { computerErrorSchema, computerSchema } from "./computers.ts";
import { readinessListSchema } from "./readiness.ts";

export const roles = ["Owner", "Manager", "Member", "Guest"] as const;
export type ApiRole = (typeof roles)[number];

/** The document shows roles of analytics only. */
const analyticsRoles: readonly ApiRole[] = ["Owner", "Manager"];

export const usersLimit = { min: 1, max: 100, default: 20 } as const;

/** Asks hookbell's own server for figures up to now: `so_far=true`. The platform does not know it, and refuses today. */
export const soFarParameter = "so_far";

/** A number in a URL. The server takes no other form than digits. */
export function wholeNumber(min: number, max?: number) {
  const error = `expected a whole number from ${min}${max === undefined ? " on" : ` to ${max}`}`;
  const number = z.coerce.number(error).int(error).min(min, error);
  return max === undefined ? number : number.max(max, error);
}

const days = { startDate: z.iso.date(), endDate: z.iso.date() };

/** `baseUrl` is the API's host, `appUrl` the application's. */
type Host = "baseUrl" | "appUrl";

interface Endpoint {
  method: "GET" | "POST";
  host: Host;
  /** `{name}` stands for a path parameter. */
  path: string;
  pathParameters: readonly string[];
  /** The values are as they stand in the URL: numbers are read from text. */
  query: z.ZodObject;
  roles: readonly ApiRole[];
  success: { status: 200 | 202; body: z.ZodType };
  /** The one value that `group_by` may have, and the success body then. */
  groupBy?: string;
  grouped?: z.ZodType;
  errors: { statuses: readonly number[]; body: z.ZodType };
  summary: string;
}

function analytics<Query extends z.ZodRawShape, Body extends z.ZodType>(
  name: string,
  more: { query: Query; body: Body; summary: string },
) {
  return {
    method: "GET",
    host: "baseUrl",
    path: `/api/v1/analytics/${name}`,
    pathParameters: [],
    query: z.object({ ...days, ...more.query }),
    roles: analyticsRoles,
    success: { status: 200, body: more.body },
    errors: { statuses: [400, 401, 403, 500], body: analyticsErrorSchema },
    summary: more.summary,
  } as const;
}

export const endpoints = {
  retryInstallDeps: {
    method: "POST",
    host: "baseUrl",
    path: "/api/v0/computers/{computerId}/install-deps",
    pathParameters: ["computerId"],
    query: z.object({}),
    roles,
    success: { status: 202, body: computerSchema },
    errors: { statuses: [400, 401, 404, 409, 500], body: computerErrorSchema },
    summary: "Start the install-dependencies step of a remote computer again",
  },
  getTokens: {
    ...analytics("tokens", {
      query: { group_by: z.literal("model").optional() },
      body: envelopeOf(tokensRowSchema),
      summary: "Tokens and credits for each day",
    }),
    groupBy: "model",
    grouped: envelopeOf(tokensByModelRowSchema),
  },
  getTools: {
    ...analytics("tools", {
      query: { group_by: z.literal("tool_name").optional() },
      body: envelopeOf(toolsRowSchema),
      summary: "Tool calls and autonomy for each day",
    }),
    groupBy: "tool_name",
    grouped: envelopeOf(toolsByNameRowSchema),
  },
  getActivity: {
    ...analytics("activity", {
      query: { group_by: z.literal("client").optional() },
      body: envelopeOf(activityRowSchema),
      summary: "Active users, sessions and messages for each day",
    }),
    groupBy: "client",
    grouped: envelopeOf(activityByClientRowSchema),
  },
  getProductivity: analytics("productivity", {
    query: {},
    body: envelopeOf(productivityRowSchema),
    summary: "Files, commits and pull requests for each day",
  }),
  getUsers: analytics("users", {
    query: {
      limit: wholeNumber(usersLimit.min, usersLimit.max).default(usersLimit.default),
      cursor: z.string().optional(),
    },
    body: usersEnvelopeSchema,
    summary: "The figures of each user for each day",
  }),
  listReadinessReports: {
    method: "GET",
    host: "appUrl",
    path: "/api/organization/maturity-level-reports",
    pathParameters: [],
    query: z.object({
      repoId: z.string().optional(),
      limit: wholeNumber(1).optional(),
      startAfter: z.string().optional(),
    }),
    roles,
    success: { status: 200, body: readinessListSchema },
    errors: { statuses: [400, 401, 500], body: z.unknown() },
    summary: "Readiness reports of the organization's repositories",
  },
} as const satisfies Record<string, Endpoint>;

export type OperationId = keyof typeof endpoints;

/** What the client asks of hookbell's own server beyond them. */
export const extensions = {
  listComputers: {
    method: "GET",
    host: "baseUrl",
    path: "/api/extensions/computers",
    pathParameters: [],
    query: z.object({}),
    roles,
    success: { status: 200, body: z.object({ computers: z.array(computerSchema) }) },
    errors: { statuses: [401, 429, 500], body: analyticsErrorSchema },
    summary: "The computers of this server, each with the state of its last install session",
  },
} as const satisfies Record<string, Endpoint>;

/** All that the client can ask for. */
export const requests = { ...endpoints, ...extensions };
export type RequestId = keyof typeof requests;

/** Whether it is one of the five of analytics. */
export function isUsage(id: RequestId): boolean {
  return requests[id].path.includes("/analytics/");
}
