import { Secret } from "../../model/privacy/secret.ts";
import type { Rules } from "../../rules/rules.ts";
import type { Environment } from "../../system/environment.ts";

/** Every secret that any channel has from the environment: a program of another one inherits it, and may print it. */
export function inheritedSecrets({ channels }: Pick<Rules, "channels">, env: Environment): Secret[] {
  const names = new Set(Object.values(channels).flatMap(({ settings }) => variablesIn(settings)));
  return [...names].map((name) => new Secret(env[name] ?? "")).filter((secret) => secret.reveal() !== "");
}

/** Whether these settings name a variable that is not there, and for this process never will be. */
export function lacksVariable(settings: unknown, env: Environment): boolean {
  return variablesIn(settings).some((name) => (env[name] ?? "") === "");
}

/** The names in all `{ "env": NAME }` of settings that are not resolved yet. */
function variablesIn(settings: unknown): string[] {
  if (typeof settings !== "object" || settings === null || settings instanceof Secret) return [];
  if ("from" in settings && settings.from === "env" && "name" in settings) return [String(settings.name)];
  return Object.values(settings).flatMap(variablesIn);
}
