// Computers: the documented operation, which runs the install command again, and the extension that lists them.
import { operations } from "./operations.ts";
import { type App, routeOf } from "../../../../http-server/served.ts";
import type { KeyGuard } from "./guard.ts";
import type { PlatformParts } from "./parts.ts";
import { HttpProblem } from "../../../../http-server/problems.ts";

export function addComputers(app: App, { computers, installs }: PlatformParts, guard: KeyGuard): void {
  const { retryInstallDeps, listComputers } = operations;
  app.post(routeOf(retryInstallDeps.path), (context) => {
    guard.requireKey(context, retryInstallDeps.roles);
    const id = context.req.param("computerId");
    const computer = computers().find((known) => known.id === id);
    if (computer === undefined) throw new HttpProblem(404, "there is no computer with this id");
    if (!installs.start(computer)) throw new HttpProblem(409, "an install session of this computer is running");
    return context.json(installs.describe(computer), 202);
  });
  app.get(listComputers.path, (context) => {
    guard.requireKey(context, listComputers.roles);
    return context.json({ computers: computers().map(installs.describe) });
  });
}
