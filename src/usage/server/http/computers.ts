// Computers: the documented operation, which runs the install command again, and the extension that lists them.
import { endpoints, type Role } from "../../contract/endpoints.ts";
import { extensions } from "./extensions.ts";
import { routeOf, type App, type AppParts, type Guard } from "./parts.ts";
import { HttpProblem } from "./problems.ts";

/** The document leaves the roles open. Here a guest reads and starts nothing. */
export const installRoles: readonly Role[] = ["Owner", "Manager", "Member"];

export function addComputers(app: App, { computers, installs }: AppParts, guard: Guard): void {
  app.post(routeOf(endpoints.retryInstallDeps.path), (context) => {
    guard.requireKey(context, installRoles);
    const id = context.req.param("computerId");
    const computer = computers().find((known) => known.id === id);
    if (computer === undefined) throw new HttpProblem(404, "there is no computer with this id");
    if (!installs.start(computer)) throw new HttpProblem(409, "an install session of this computer is running");
    return context.json(installs.describe(computer), 202);
  });
  app.get(extensions.listComputers.path, (context) => {
    guard.requireKey(context, extensions.listComputers.roles);
    return context.json({ computers: computers().map(installs.describe) });
  });
}
