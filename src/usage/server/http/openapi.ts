// The server's OpenAPI document, made from the schemas that its requests and answers have.
import * as z from "zod";
import { endpoints, soFarParameter } from "../../contract/endpoints.ts";
import { version } from "../../../system/version.ts";
import { installRoles } from "./computers.ts";
import { extensions } from "./extensions.ts";
import { reportsLimit } from "./readiness.ts";

type Json = Record<string, unknown>;

interface Operation {
  method: string;
  path: string;
  roles: readonly string[];
  summary: string;
  query?: z.ZodObject;
  success: { status: number; body: z.ZodType | undefined };
  repeatedStatus?: number;
  grouped?: z.ZodType;
  body?: z.ZodType;
  errors: { statuses: readonly number[]; body: z.ZodType };
}

/** OpenAPI 3.1, whose schemas are JSON Schema: https://spec.openapis.org/oas/v3.1.1.html */
export function openApiDocument(): Json {
  const paths: Record<string, Json> = {};
  const operations: Record<string, Operation> = { ...endpoints, ...extensions };
  for (const [operationId, operation] of Object.entries(operations)) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describe(operationId, { ...operation, ...ownRules(operationId, operation) }),
    };
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "hookbell serve",
      version,
      description: "Usage analytics, readiness reports and computers, from your own machines.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    paths,
    components: {
      securitySchemes: {
        key: { type: "http", scheme: "bearer", description: "A key that `hookbell keys add` has printed." },
        signature: {
          type: "apiKey",
          in: "header",
          name: "webhook-signature",
          description: "Standard Webhooks: webhook-id, webhook-timestamp and webhook-signature over the body.",
        },
      },
    },
  };
}

/** What this server adds to the platform's document, or decides where that leaves it open. */
function ownRules(operationId: string, { path, query }: Operation): Partial<Operation> {
  if (operationId === "retryInstallDeps") return { roles: installRoles };
  if (operationId === "listReadinessReports" && query !== undefined) {
    const limit = z.number().int().min(1).max(reportsLimit.max).default(reportsLimit.default);
    return { query: query.extend({ limit }) };
  }
  const soFar = z.literal("true").describe("today may be asked for: its figures so far").optional();
  return path.includes("/analytics/") && query !== undefined
    ? { query: query.extend({ [soFarParameter]: soFar }) }
    : {};
}

function describe(operationId: string, operation: Operation): Json {
  const { status, body } = operation.success;
  const bodies = [body, operation.grouped].flatMap((schema) => (schema === undefined ? [] : [schemaOf(schema)]));
  const problems = [...new Set([...operation.errors.statuses, 403, 421, 429])].sort((a, b) => a - b);
  const problem = content([schemaOf(operation.errors.body)]);
  return {
    operationId,
    summary: operation.summary,
    description: `Roles: ${operation.roles.join(", ")}.`,
    security: [operationId === "receiveEvent" ? { signature: [] } : { key: [] }],
    parameters: [...pathParameters(operation.path), ...queryParameters(operation.query)],
    ...(operation.body === undefined
      ? {}
      : { requestBody: { required: true, content: content([schemaOf(operation.body)]) } }),
    responses: {
      [status]: { description: "Success", ...(bodies.length === 0 ? {} : { content: content(bodies) }) },
      ...(operation.repeatedStatus === undefined
        ? {}
        : { [operation.repeatedStatus]: { description: "It was stored before", content: content(bodies) } }),
      ...Object.fromEntries(problems.map((each) => [each, { description: "Error", content: problem }])),
    },
  };
}

function content(schemas: readonly Json[]): Json {
  return { "application/json": { schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas } } };
}

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

function queryParameters(query: z.ZodObject | undefined): Json[] {
  if (query === undefined) return [];
  const { properties = {}, required = [] } = z.toJSONSchema(query, { io: "output" });
  const optional = new Set(Object.entries(query.shape).flatMap(([name, schema]) => (isOptional(schema) ? [name] : [])));
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name) && !optional.has(name),
    schema,
  }));
}

function isOptional(schema: z.core.$ZodType): boolean {
  return z.safeParse(schema, undefined).success;
}

function schemaOf(schema: z.ZodType): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: "output" });
  return json;
}
