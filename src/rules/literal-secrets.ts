// Finds secrets that are written into the rules file itself.
import { Secret } from "../model/privacy/secret.ts";
import { isLoopback } from "../system/network/destination.ts";

/** A server's address is not a secret, even where it can come from a secret source. */
const addressKey = /^(home)?server$|^apiUrl$/i;
/** On a server of one's own, the token is the password, and the topic a name. */
const topicKey = /^(?:reply)?topic$/i;
/** Headers and variables with such names contain credentials. */
const tellingName = /auth|cookie|credential|key|pass|secret|token/i;

export function isSecretKey(key: string): boolean {
  return !addressKey.test(key);
}

/** Paths of the unresolved settings that contain a secret itself, not its source. */
export function literalSecretsIn(settings: unknown, path: readonly string[] = []): string[][] {
  if (settings instanceof Secret) {
    const setting = path.slice(0, -1);
    const [key = "", ...inner] = setting;
    const isTold = inner.length > 0 ? tellingName.test(inner.at(-1) ?? "") : isSecretKey(key);
    return isTold && holdsSecret(settings.reveal()) ? [setting] : [];
  }
  if (typeof settings !== "object" || settings === null) return [];
  const isGuarded = "token" in settings && "server" in settings;
  return Object.entries(settings).flatMap(([name, value]) =>
    isGuarded && topicKey.test(name) ? [] : literalSecretsIn(value, [...path, name]),
  );
}

/** An address is no secret if it is only a host, or is on this machine and has plain words in its path. */
export function holdsSecret(value: string): boolean {
  if (!/^[a-z]+:\/\//i.test(value) || !URL.canParse(value)) return true;
  const url = new URL(value);
  if (url.password !== "") return true;
  if (!isLoopback(url)) return url.username !== "" || url.search !== "" || !/^\/?$/.test(url.pathname);
  const parts = [...url.pathname.split("/"), ...url.searchParams.values()];
  return parts.some((part) => part.length >= 16 || (part.length >= 6 && /\d/.test(part)));
}
