/** The value at this place within others; undefined when there is none. */
export function memberAt(value: unknown, names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (found, name) =>
      typeof found === "object" && found !== null && Object.hasOwn(found, name)
        ? (found as Record<string, unknown>)[name]
        : undefined,
    value,
  );
}
