// The server's OpenAPI document, made from the schemas that its requests and answers have.
import * as z from "zod";
import { endpoints } from "../../contract/endpoints.ts";
import { version } from "../../../system/version.ts";
import { installRoles } from "./computers.ts";
import { extensions } from "./extensions.ts";

type Json = Record<string, unknown>;

interface Operation {
  method: string;
  path: string;
  roles: readonly string[];
  summary: string;
  query?: z.ZodObject;
  success: { status: number; body: z.ZodType | undefined };
  grouped?: z.ZodType;
  body?: z.ZodType;
  errors: { statuses: readonly number[]; body: z.ZodType };
}

/** OpenAPI 3.1, whose schemas are JSON Schema: https://spec.openapis.org/oas/v3.1.1.html */
export function openApiDocument(): Json {
  const paths: Record<string, Json> = {};
  const operations: Record<string, Operation> = { ...endpoints, ...extensions };
  for (const [operationId, operation] of Object.entries(operations)) {
    const roles = operationId === "retryInstallDeps" ? installRoles : operation.roles;
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describe(operationId, { ...operation, roles }),
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

function describe(operationId: string, operation: Operation): Json {
  const { status, body } = operation.success;
  const bodies = [body, operation.grouped].flatMap((schema) => (schema === undefined ? [] : [schemaOf(schema)]));
  const problems = [...new Set([...operation.errors.statuses, 403, 429])].sort((a, b) => a - b);
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
