// The server's routes and what holds for all of them: request ids, limits, credentials, error bodies.
import { Hono, type Context } from "hono";
import { messageOf } from "../../../../model/errors.ts";
import { isLoopback } from "../../../../system/network/destination.ts";
import { addAnalytics } from "./analytics.ts";
import { addComputers } from "./computers.ts";
import { addEvents } from "./events.ts";
import { addHooks } from "./hooks.ts";
import { createGuard, createRateLimiter } from "./guard.ts";
import { openApiDocument } from "./openapi.ts";
import { operations } from "./operations.ts";
import type { App, AppParts } from "./parts.ts";
import { HttpProblem, problemResponse } from "./problems.ts";
import { addReadiness } from "./readiness.ts";

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
  if (parts.isForLocalHosts) app.use(refuseForeignHost);
  parts.addPage?.(app, parts);
  addAnalytics(app, parts, guard);
  addComputers(app, parts, guard);
  addReadiness(app, parts, guard);
  addEvents(app, parts, guard);
  addHooks(app, parts, guard);
  app.get("/openapi.json", (context) => context.json(openApiDocument()));
  app.notFound((context) => problemResponse(context, wrongPlace(context), context.get("requestId")));
  const logError = createErrorLog(parts);
  app.onError((error, context) => {
    const requestId = context.get("requestId");
    if (error instanceof HttpProblem) return problemResponse(context, error, requestId);
    logError(`${requestId}: ${messageOf(error)}`);
    return problemResponse(context, new HttpProblem(500, "an error of the server; its log has more"), requestId);
  });
  return app;
}

/** A full disk makes every request fail. */
const logLimit = { burst: 20, perSecond: 1 / 60 };

function createErrorLog({ clock, onError }: AppParts): (what: string) => void {
  const takeLine = createRateLimiter(clock, logLimit);
  let omitted = 0;
  return (what) => {
    if (takeLine("") !== undefined) {
      omitted += 1;
      return;
    }
    onError(omitted === 0 ? what : `${what} (and ${omitted} more errors before it)`);
    omitted = 0;
  };
}

/** A web page that has its own name resolve to this machine would be of the same origin. */
function refuseForeignHost(context: Context, next: () => Promise<void>): Promise<void> {
  if (!isLoopback(new URL(context.req.url))) {
    throw new HttpProblem(
      421,
      "this server answers to localhost; start it with --behind-proxy if a proxy asks for others",
    );
  }
  return next();
}

const knownPaths = Object.values(operations).map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`),
}));

function wrongPlace(context: Context): HttpProblem {
  const methods = knownPaths.filter(({ pattern }) => pattern.test(context.req.path)).map(({ method }) => method);
  if (methods.length === 0) return new HttpProblem(404, `there is nothing at ${context.req.path.slice(0, 100)}`);
  const allow = [...new Set(methods)].join(", ");
  return new HttpProblem(405, `this path takes ${allow}`, { allow });
}
