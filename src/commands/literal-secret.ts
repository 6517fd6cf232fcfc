import { Secret } from "../model/secret.ts";

/** Whether a channel's settings, before they are resolved, hold a secret itself rather than where to find it. */
export function hasLiteralSecret(settings: unknown): boolean {
  if (settings instanceof Secret) return true;
  if (typeof settings !== "object" || settings === null) return false;
  return Object.values(settings).some(hasLiteralSecret);
}
