// The server's OpenAPI document, made from the schemas that its requests and answers have.
import * as z from "zod";
import { version } from "../system/version.ts";
import type { Operation, Served } from "./served.ts";

type Json = Record<string, unknown>;

/** OpenAPI 3.1, whose schemas are JSON Schema: https://spec.openapis.org/oas/v3.1.1.html. It takes a tenth of a second to make, and few ask for it. */
export function openApiDocument(served: readonly Served[]): Json {
  const paths: Record<string, Json> = {};
  for (const [operationId, operation] of served.flatMap(({ operations = {} }) => Object.entries(operations))) {
    const { path, method } = operation;
    paths[path] = { ...paths[path], [method.toLowerCase()]: describe(operationId, operation) };
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
      securitySchemes: Object.assign({}, ...served.map(({ securitySchemes }) => securitySchemes)),
    },
  };
}

function describe(operationId: string, operation: Operation): Json {
  const { status, body } = operation.success;
  const bodies = [body, operation.grouped].flatMap((schema) => (schema === undefined ? [] : [schemaOf(schema)]));
  const problems = [...new Set([...operation.errors.statuses, 403, 421, 429])].sort((a, b) => a - b);
  const problem = content([schemaOf(operation.errors.body)]);
  return {
    operationId,
    summary: operation.summary,
    ...(operation.roles.length === 0 ? {} : { description: `Roles: ${operation.roles.join(", ")}.` }),
    security: [{ [operation.credential ?? "key"]: [] }],
    parameters: [...pathParameters(operation.path), ...queryParameters(operation.query)],
    ...(operation.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            description: `It has at most ${operation.maxBodyBytes} bytes.`,
            content: content([schemaOf(operation.body, "input")]),
          },
        }),
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
  const { properties = {}, required = [] } = z.toJSONSchema(query, { io: "input" });
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
  }));
}

function schemaOf(schema: z.ZodType, io: "input" | "output" = "output"): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io });
  return json;
}
