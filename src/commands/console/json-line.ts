const steering = /[\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/g;

/**
 * A value as one line of JSON. What JSON lets through and a terminal obeys (C1 controls, bidirectional overrides) is
 * written as `\uXXXX`: the same value, and harmless on a screen.
 */
export function jsonLine(value: unknown): string {
  const escaped = JSON.stringify(value).replace(
    steering,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `${escaped}\n`;
}
