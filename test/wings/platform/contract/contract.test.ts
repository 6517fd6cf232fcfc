// The schemas accept what the platform's document shows, with every field, and refuse what its tables rule out.
import { describe, expect, it } from "vitest";
import type * as z from "zod";
import * as analytics from "../../../../src/wings/platform/contract/analytics.ts";
import { computerErrorSchema, computerSchema } from "../../../../src/wings/platform/contract/computers.ts";
import { endpoints, type OperationId } from "../../../../src/wings/platform/contract/endpoints.ts";
import { readinessListSchema, readinessReportSchema } from "../../../../src/wings/platform/contract/readiness.ts";
import * as examples from "../../../support/usage/examples.ts";

interface Resource {
  schema: z.ZodType;
  example: Record<string, unknown>;
  /** Everything else in the example is required. */
  optional?: readonly string[];
  isStrict?: boolean;
}

const resources: Record<string, Resource> = {
  computer: {
    schema: computerSchema,
    example: examples.exampleComputer,
    optional: Object.keys(examples.exampleComputer).filter(
      (field) => !["id", "name", "providerType", "createdAt"].includes(field),
    ),
    isStrict: true,
  },
  "computer error": {
    schema: computerErrorSchema,
    example: examples.exampleComputerError,
    optional: ["metadata"],
    isStrict: true,
  },
  "tokens row": { schema: analytics.tokensRowSchema, example: examples.exampleTokensRow },
  "tokens row by model": { schema: analytics.tokensByModelRowSchema, example: examples.exampleTokensByModelRow },
  "tools row": { schema: analytics.toolsRowSchema, example: examples.exampleToolsRow },
  "tools row by name": { schema: analytics.toolsByNameRowSchema, example: examples.exampleToolsByNameRow },
  "activity row": { schema: analytics.activityRowSchema, example: examples.exampleActivityRow },
  "activity row by client": {
    schema: analytics.activityByClientRowSchema,
    example: examples.exampleActivityByClientRow,
  },
  "productivity row": { schema: analytics.productivityRowSchema, example: examples.exampleProductivityRow },
  "users row": { schema: analytics.usersRowSchema, example: examples.exampleUsersRow },
  meta: { schema: analytics.metaSchema, example: examples.exampleMeta },
  "users meta": {
    schema: analytics.usersMetaSchema,
    example: { ...examples.exampleMeta, has_more: true, next_cursor: "usr_1" },
    optional: ["next_cursor"],
  },
  "analytics error": { schema: analytics.analyticsErrorSchema, example: examples.exampleAnalyticsError },
  "readiness report": {
    schema: readinessReportSchema,
    example: examples.exampleReadinessReport,
    optional: ["commitHash", "branch", "hasLocalChanges", "hasNonRemoteCommits", "modelUsed", "agentVersion"],
  },
};

describe.each(Object.entries(resources))("the %s", (_, { schema, example, optional = [], isStrict = false }) => {
  const accepts = (value: unknown): boolean => schema.safeParse(value).success;

  it("is accepted with every documented field, and keeps each", () => {
    expect(schema.parse(example)).toEqual(example);
  });

  it("needs exactly its required fields", () => {
    const needed = Object.keys(example).filter((field) => !accepts({ ...example, [field]: undefined }));
    expect(needed.sort()).toEqual(
      Object.keys(example)
        .filter((field) => !optional.includes(field))
        .sort(),
    );
  });

  it("knows the type of each field", () => {
    const untyped = Object.keys(example).filter((field) => accepts({ ...example, [field]: Symbol("none") }));
    expect(untyped).toEqual([]);
  });

  it(`${isStrict ? "refuses" : "keeps"} further fields`, () => {
    const wider = { ...example, another: 1 };
    expect(accepts(wider)).toBe(!isStrict);
    if (!isStrict) expect(schema.parse(wider)).toEqual(wider);
  });
});

describe("the values that the tables list", () => {
  const { exampleComputer: computer, exampleUsersRow: user, exampleReadinessReport: report } = examples;
  const withStep = (step: object): object => ({
    ...computer,
    provisioningSteps: [{ id: "a", name: "b", status: "c", ...step }],
  });
  const withCriterion = (criterion: object): object => ({
    ...report,
    report: { tests: { numerator: 1, denominator: 1, rationale: "", ...criterion } },
  });

  it.each<[string, z.ZodType, object, boolean]>([
    ["a provider type", computerSchema, { ...computer, providerType: "byom" }, true],
    ["another provider type", computerSchema, { ...computer, providerType: "ec2" }, false],
    ["the state active", computerSchema, { ...computer, status: "active" }, true],
    ["the state error", computerSchema, { ...computer, status: "error" }, true],
    ["another state", computerSchema, { ...computer, status: "stopped" }, false],
    ["a host id that is no UUID", computerSchema, { ...computer, hostId: "host-1" }, false],
    ["a relay address that is no URI", computerSchema, { ...computer, relayAgentUrl: "relay" }, false],
    ["a step with its three fields", computerSchema, withStep({}), true],
    ["a step with a further field", computerSchema, withStep({ progress: 1 }), false],
    [
      "a computer as the source",
      computerSchema,
      { ...computer, computerSource: { kind: "computer", computerId: "c" } },
      true,
    ],
    [
      "a source without an id",
      computerSchema,
      { ...computer, computerSource: { kind: "computer", computerId: "" } },
      false,
    ],
    [
      "a source with both ids",
      computerSchema,
      { ...computer, computerSource: { kind: "template", templateId: "t", computerId: "c" } },
      false,
    ],
    ["a user without an address", analytics.usersRowSchema, { ...user, user_email: null }, true],
    ["another model tier", analytics.usersRowSchema, { ...user, primary_model_tier: "fast" }, false],
    ["another delegation level", analytics.usersRowSchema, { ...user, delegation_level: "auto" }, false],
    ["a day that is none", analytics.usersRowSchema, { ...user, date: "2026-02-30" }, false],
    [
      "another client type",
      analytics.activityByClientRowSchema,
      { ...examples.exampleActivityByClientRow, group_key: "ide" },
      false,
    ],
    [
      "the last page's cursor",
      analytics.usersMetaSchema,
      { ...examples.exampleMeta, has_more: false, next_cursor: null },
      true,
    ],
    ["more passing than evaluated", readinessReportSchema, withCriterion({ numerator: 2 }), false],
    ["fewer than no applications", readinessReportSchema, withCriterion({ numerator: -1 }), false],
    ["no applications evaluated", readinessReportSchema, withCriterion({ numerator: 0, denominator: 0 }), false],
    [
      "another reasoning effort",
      readinessReportSchema,
      { ...report, modelUsed: { id: "m", reasoningEffort: "max" } },
      false,
    ],
    ["a report id that is no UUID", readinessReportSchema, { ...report, reportId: "1" }, false],
  ])("are accepted, and no others: %s", (_, schema, value, isAccepted) => {
    expect(schema.safeParse(value).success).toBe(isAccepted);
  });
});

describe("the table of endpoints", () => {
  it("has the seven operations at their documented places", () => {
    const lines = Object.values(endpoints).map(({ method, host, path, success, errors }) =>
      [method, host, path, success.status, errors.statuses.join(",")].join(" "),
    );
    expect(lines).toEqual([
      "POST baseUrl /api/v0/computers/{computerId}/install-deps 202 400,401,404,409,500",
      "GET baseUrl /api/v1/analytics/tokens 200 400,401,403,500",
      "GET baseUrl /api/v1/analytics/tools 200 400,401,403,500",
      "GET baseUrl /api/v1/analytics/activity 200 400,401,403,500",
      "GET baseUrl /api/v1/analytics/productivity 200 400,401,403,500",
      "GET baseUrl /api/v1/analytics/users 200 400,401,403,500",
      "GET appUrl /api/organization/maturity-level-reports 200 400,401,500",
    ]);
  });

  it("lets Owners and Managers read analytics, and every role call the rest", () => {
    const rolesOf = (id: OperationId): string => endpoints[id].roles.join(" ");
    expect(rolesOf("getUsers")).toBe("Owner Manager");
    expect(rolesOf("getTokens")).toBe("Owner Manager");
    expect(rolesOf("listReadinessReports")).toBe("Owner Manager Member Guest");
    expect(rolesOf("retryInstallDeps")).toBe("Owner Manager Member Guest");
  });

  const days = { startDate: "2026-03-01", endDate: "2026-03-02" };
  it.each<[OperationId, object, boolean]>([
    ["getTokens", days, true],
    ["getTokens", { ...days, group_by: "model" }, true],
    ["getTokens", { ...days, group_by: "client" }, false],
    ["getTools", { ...days, group_by: "tool_name" }, true],
    ["getActivity", { ...days, group_by: "client" }, true],
    ["getTokens", { startDate: "2026-03-01" }, false],
    ["getTokens", { ...days, endDate: "1 March" }, false],
    ["getUsers", { ...days, limit: "1" }, true],
    ["getUsers", { ...days, limit: "100" }, true],
    ["getUsers", { ...days, limit: "101" }, false],
    ["getUsers", { ...days, limit: "0" }, false],
    ["getUsers", { ...days, limit: "1.5" }, false],
    ["getUsers", { ...days, limit: "" }, false],
    ["listReadinessReports", {}, true],
    ["listReadinessReports", { limit: "0" }, false],
    ["listReadinessReports", { limit: "500", repoId: "r", startAfter: "s" }, true],
  ])("reads the query of %s: %j", (id, query, isAccepted) => {
    expect(endpoints[id].query.safeParse(query).success).toBe(isAccepted);
  });

  it("gives 20 users where the query does not say how many", () => {
    expect(endpoints.getUsers.query.parse(days)).toMatchObject({ limit: 20 });
  });

  it("reads a whole list of reports", () => {
    const list = { reports: [examples.exampleReadinessReport] };
    expect(readinessListSchema.parse(list)).toEqual(list);
  });
});
