// The server's OpenAPI document, judged by a public validator and by the answers of the server.
import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, expect, test } from "vitest";
import { endpoints } from "../../../../src/usage/contract/endpoints.ts";
import { extensions } from "../../../../src/usage/server/http/extensions.ts";
import { startTestServer, type TestServer } from "../../../support/usage/running-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ now: "2026-11-20T09:00:00Z" });
});
afterAll(() => server.remove());

interface Document {
  openapi: string;
  paths: Record<
    string,
    Record<string, { operationId: string; parameters: { name: string; required: boolean }[]; responses: object }>
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
  const limit = paths[endpoints.listReadinessReports.path]?.get?.parameters.find(({ name }) => name === "limit");
  expect(limit).toMatchObject({ required: false, schema: { type: "integer", minimum: 1, maximum: 100, default: 20 } });
  const stored = paths[extensions.storeReadinessReport.path]?.post?.responses;
  expect(Object.keys(stored ?? {})).toEqual(expect.arrayContaining(["200", "201"]));
});
