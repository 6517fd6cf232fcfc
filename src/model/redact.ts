import { Secret } from "./secret.ts";

/** Shorter values stand in ordinary text by chance. */
const shortestSecret = 4;

/** Every secret in resolved settings, and the parts of a URL that are credentials by themselves. */
export function secretsIn(settings: unknown): string[] {
  if (settings instanceof Secret) return partsOf(settings.reveal());
  if (typeof settings !== "object" || settings === null) return [];
  return Object.values(settings).flatMap(secretsIn);
}

function partsOf(value: string): string[] {
  const parts = [value];
  if (URL.canParse(value)) {
    const url = new URL(value);
    parts.push(url.href, url.password, decodeSafely(url.password), url.username);
    parts.push(url.pathname, ...url.pathname.split("/"), url.search, ...url.searchParams.values());
  }
  // Long enough not to blank out a path such as /api/webhook.
  const isCredential = (part: string): boolean => part === value || part.length >= 12;
  const password = URL.canParse(value) ? decodeSafely(new URL(value).password) : "";
  return [...parts.filter(isCredential), password].filter((part) => part.length >= shortestSecret);
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The text with every secret replaced; the longest first, so that no half of one stays behind. */
export function redact(text: string, secrets: readonly string[]): string {
  return [...secrets]
    .sort((a, b) => b.length - a.length)
    .reduce((result, secret) => result.replaceAll(secret, "[secret]"), text);
}
