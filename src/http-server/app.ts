// The server's routes and what holds for all of them: request ids, limits, error bodies.
import { Hono, type Context } from "hono";
import { messageOf } from "../model/errors.ts";
import { isLoopback } from "../system/network/destination.ts";
import { createGuard, createRateLimiter } from "./guard.ts";
import { openApiDocument } from "./openapi.ts";
import type { App, AppParts, Operation, Served } from "./served.ts";
import { HttpProblem, problemResponse } from "./problems.ts";

/** The parts add their routes in the order of `served`. */
export function createApp(parts: AppParts, served: readonly Served[]): App {
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
  const tabs = served.flatMap(({ tab }) => tab ?? []);
  for (const each of served) each.add(app, { ...parts, guard, tabs });
  let document: object | undefined;
  app.get("/openapi.json", (context) => context.json((document ??= openApiDocument(served))));
  const respond = (context: Context, problem: HttpProblem, requestId: string): Response => {
    const member = served.flatMap((each) => each.withRequestId?.(context.req.path, requestId) ?? [])[0];
    return problemResponse(context, problem, member ?? { requestId });
  };
  const wrongPlace = createWrongPlace(served.flatMap(({ operations }) => Object.values(operations ?? {})));
  app.notFound((context) => respond(context, wrongPlace(context), context.get("requestId")));
  const logError = createErrorLog(parts);
  app.onError((error, context) => {
    const requestId = context.get("requestId");
    if (error instanceof HttpProblem) return respond(context, error, requestId);
    logError(`${requestId}: ${messageOf(error)}`);
    return respond(context, new HttpProblem(500, "an error of the server; its log has more"), requestId);
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

/** Says of a request that no route takes whether another method would do. */
function createWrongPlace(operations: readonly Operation[]): (context: Context) => HttpProblem {
  const known = operations.map(({ method, path }) => ({
    method,
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`),
  }));
  return ({ req }) => {
    const methods = known.filter(({ pattern }) => pattern.test(req.path)).map(({ method }) => method);
    if (methods.length === 0) return new HttpProblem(404, `there is nothing at ${req.path.slice(0, 100)}`);
    const allow = [...new Set(methods)].join(", ");
    return new HttpProblem(405, `this path takes ${allow}`, { allow });
  };
}
