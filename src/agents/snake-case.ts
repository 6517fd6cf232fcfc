import type { Payload } from "./dialect/agent.ts";

/** Top-level keys in snake_case, from camelCase or kebab-case; a key that is there in snake_case as well wins. */
export function withSnakeCase(payload: Payload): Payload {
  const result: Payload = {};
  for (const [key, value] of Object.entries(payload)) {
    const snake = key
      .replace(/(?<=[a-z0-9])[A-Z]+/g, (letters) => `_${letters.toLowerCase()}`)
      .replace(/(?<=[a-z0-9])-(?=[a-z0-9])/g, "_");
    if (snake === "__proto__" || (snake !== key && Object.hasOwn(payload, snake))) continue;
    result[snake] = value;
  }
  return result;
}
