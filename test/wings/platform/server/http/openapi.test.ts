// The server's OpenAPI document, judged by a public validator and by the answers of the server.
import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, expect, test } from "vitest";
import { endpoints } from "../../../../../src/wings/platform/contract/endpoints.ts";
import { operations } from "../../../../../src/wings/platform/server/http/operations.ts";
import { startTestServer, type TestServer } from "../../../../support/usage/running-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ now: "2026-11-20T09:00:00Z" });
});
afterAll(() => server.remove());

interface Document {
  openapi: string;
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        parameters: { name: string; required: boolean; schema: Record<string, unknown> }[];
        requestBody?: { description: string; content: { "application/json": { schema: object } } };
        responses: object;
      }
    >
  >;
}

async function read(): Promise<Document> {
  const response = await server.request("/openapi.json");
  expect(response.status).toBe(200);
  return (await response.json()) as Document;
}

test("it is valid OpenAPI 3.1", async () => {
  const document = await read();
  const result = await new Validator().validate({ ...document });
  expect(result).toMatchObject({ valid: true });
  expect(document.openapi).toMatch(/^3\.1\./);
});

test("it has every operation of the platform, with its parameters and answers", async () => {
  const { paths } = await read();
  for (const [operationId, endpoint] of Object.entries(endpoints)) {
    const operation = paths[endpoint.path]?.[endpoint.method.toLowerCase()];
    expect(operation?.operationId).toBe(operationId);
    const statuses = [endpoint.success.status, ...endpoint.errors.statuses].map(String);
    expect(Object.keys(operation?.responses ?? {})).toEqual(expect.arrayContaining(statuses));
    const names = [...endpoint.pathParameters, ...Object.keys(endpoint.query.shape)];
    const own = endpoint.path.includes("/analytics/") ? ["so_far"] : [];
    expect(operation?.parameters.map(({ name }) => name)).toEqual([...names, ...own]);
  }
  const required = (path: string): string[] =>
    paths[path]?.get?.parameters.filter((parameter) => parameter.required).map(({ name }) => name) ?? [];
  expect(required(endpoints.getUsers.path)).toEqual(["startDate", "endDate"]);
  expect(required(endpoints.listReadinessReports.path)).toEqual([]);
});

test("it has what the server decides where the platform's document leaves it open", async () => {
  const { paths } = await read();
  const schemas = Object.fromEntries(
    paths[operations.listReadinessReports.path]?.get?.parameters.map(({ name, schema }) => [name, schema]) ?? [],
  );
  expect(schemas).toMatchObject({
    limit: { type: "integer", default: 20 },
    repoId: { type: "string", minLength: 1, maxLength: 1000 },
    startAfter: { type: "string", format: "uuid" },
  });
  expect(schemas.limit?.description).toContain("at most 100 reports");
  const stored = paths[operations.storeReadinessReport.path]?.post?.responses;
  expect(Object.keys(stored ?? {})).toEqual(expect.arrayContaining(["200", "201"]));
});

test("more reports than an answer may have can be asked for, as the document says", async () => {
  const { paths } = await read();
  const limit = paths[operations.listReadinessReports.path]?.get?.parameters.find(({ name }) => name === "limit");
  expect(Number(limit?.schema.maximum)).toBeGreaterThan(101);
  const response = await server.request(`${operations.listReadinessReports.path}?limit=101`, "Guest");
  expect([response.status, await response.json()]).toEqual([200, { reports: [] }]);
});

test("it has the bounds of the bodies that the server takes in", async () => {
  const { paths } = await read();
  const { storeReadinessReport, receiveEvent } = operations;
  const report = paths[storeReadinessReport.path]?.post?.requestBody;
  expect(report?.description).toContain("262144 bytes");
  expect(report?.content["application/json"].schema).toMatchObject({
    description: expect.stringContaining("10000 characters") as string,
    properties: {
      createdAt: { minimum: 0 },
      repoUrl: { maxLength: 10_000 },
      apps: {
        propertyNames: { maxLength: 10_000 },
        additionalProperties: { properties: { description: { maxLength: 10_000 } } },
      },
    },
  });
  const event = paths[receiveEvent.path]?.post?.requestBody;
  expect(event?.description).toContain("1048576 bytes");
  expect(JSON.stringify(event?.content)).toContain('"session":{"type":"string","maxLength":200}');
});
