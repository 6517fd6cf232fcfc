// The server's routes and what holds for all of them: request ids, limits, credentials, error bodies.
import { Hono, type Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { messageOf } from "../../../model/errors.ts";
import { endpoints } from "../../contract/endpoints.ts";
import { addAnalytics } from "./analytics.ts";
import { addComputers } from "./computers.ts";
import { addEvents } from "./events.ts";
import { extensions } from "./extensions.ts";
import { createGuard } from "./guard.ts";
import { openApiDocument } from "./openapi.ts";
import type { App, AppParts } from "./parts.ts";
import { HttpProblem, problemResponse } from "./problems.ts";
import { addReadiness } from "./readiness.ts";

const maxBodyBytes = 1024 * 1024;

export function createApp(parts: AppParts): App {
  const app: App = new Hono();
  const guard = createGuard(parts);
  app.use(async (context, next) => {
    context.set("requestId", `req_${parts.randomId()}`);
    await next();
    context.header("x-request-id", context.get("requestId"));
    context.header("cache-control", "no-store");
    context.header("x-content-type-options", "nosniff");
  });
  app.use(
    bodyLimit({
      maxSize: maxBodyBytes,
      onError: () => {
        throw new HttpProblem(413, `the body is larger than ${maxBodyBytes} bytes`);
      },
    }),
  );
  addAnalytics(app, parts, guard);
  addComputers(app, parts, guard);
  addReadiness(app, parts, guard);
  addEvents(app, parts, guard);
  const document = openApiDocument();
  app.get("/openapi.json", (context) => context.json(document));
  app.notFound((context) => problemResponse(context, wrongPlace(context), context.get("requestId")));
  app.onError((error, context) => {
    const requestId = context.get("requestId");
    if (error instanceof HttpProblem) return problemResponse(context, error, requestId);
    parts.onError(`${requestId}: ${messageOf(error)}`);
    return problemResponse(context, new HttpProblem(500, "the server made a mistake; its log has more"), requestId);
  });
  return app;
}

const knownPaths = [...Object.values(endpoints), ...Object.values(extensions)].map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`),
}));

function wrongPlace(context: Context): HttpProblem {
  const methods = knownPaths.filter(({ pattern }) => pattern.test(context.req.path)).map(({ method }) => method);
  if (methods.length === 0) return new HttpProblem(404, `there is nothing at ${context.req.path.slice(0, 100)}`);
  const allow = [...new Set(methods)].join(", ");
  return new HttpProblem(405, `this path takes ${allow}`, { allow });
}
