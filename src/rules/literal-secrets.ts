import { Secret } from "../model/privacy/secret.ts";
import { isLoopback } from "../system/network/destination.ts";

/** A server's address is no secret, though it may come from where secrets do. */
const addressKey = /^(home)?server$|^apiUrl$/i;
/** Of headers and variables, whose names are the person's, these hold credentials. */
const tellingName = /auth|cookie|credential|key|pass|secret|token/i;

/** Whether a setting that can come from where secrets do is one. */
export function isSecretKey(key: string): boolean {
  return !addressKey.test(key);
}

/** Where a channel's settings, before they are resolved, hold a secret itself rather than where to find it. */
export function literalSecretsIn(settings: unknown, path: readonly string[] = []): string[][] {
  if (settings instanceof Secret) {
    // The source's own `value` stands below the setting's key.
    const setting = path.slice(0, -1);
    const [key = "", ...inner] = setting;
    const isTold = inner.length > 0 ? tellingName.test(inner.at(-1) ?? "") : isSecretKey(key);
    return isTold && holdsSecret(settings.reveal()) ? [setting] : [];
  }
  if (typeof settings !== "object" || settings === null) return [];
  return Object.entries(settings).flatMap(([name, value]) => literalSecretsIn(value, [...path, name]));
}

/**
 * Whether a text in a secret's place lets somebody in: any but an address that says no more than a host, or one of this
 * machine with plain words behind it (`http://127.0.0.1:8080/hooks/agents`).
 */
export function holdsSecret(value: string): boolean {
  if (!/^[a-z]+:\/\//i.test(value) || !URL.canParse(value)) return true;
  const url = new URL(value);
  if (url.password !== "") return true;
  if (!isLoopback(url)) return url.username !== "" || url.search !== "" || !/^\/?$/.test(url.pathname);
  const parts = [...url.pathname.split("/"), ...url.searchParams.values()];
  return parts.some((part) => part.length >= 16 || (part.length >= 6 && /\d/.test(part)));
}
