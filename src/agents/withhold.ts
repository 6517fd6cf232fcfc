import type { Payload } from "./dialect/agent.ts";

/** The payload without what stands at these paths (`details.newContent`); the given one is left as it is. */
export function withhold(payload: Payload, paths: readonly string[]): Payload {
  return paths.reduce((rest, path) => without(rest, path.split(".")), payload);
}

function without(parent: Payload, [key = "", ...deeper]: string[]): Payload {
  if (!Object.hasOwn(parent, key)) return parent;
  if (deeper.length === 0) {
    const { [key]: _, ...rest } = parent;
    return rest;
  }
  const child = parent[key];
  if (typeof child !== "object" || child === null || Array.isArray(child)) return parent;
  return { ...parent, [key]: without(child as Payload, deeper) };
}
