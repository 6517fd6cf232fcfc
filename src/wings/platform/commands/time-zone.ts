// Whose days the figures of this machine are of: those of UTC, as the platform has them, or those of a time zone.
import { usageError } from "../../../model/errors.ts";
import { isTimeZone, ownTimeZone, wallMs } from "../../../model/figures/wall-clock.ts";

export interface TimeZone {
  /** Undefined for UTC. */
  name: string | undefined;
  /** The moment as a clock on the wall there shows it, as if it were UTC. */
  wallMs(atMs: number): number;
}

export const utc: TimeZone = { name: undefined, wallMs: (atMs) => atMs };

/** `utc`, `local`, or a name such as Europe/Berlin. */
export function readTimeZone(text: string): TimeZone {
  if (text.toLowerCase() === "utc") return utc;
  const name = text === "local" ? ownTimeZone() : text;
  if (!isTimeZone(name)) {
    throw usageError(
      "timezone",
      `this machine does not know the time zone ${JSON.stringify(text)}`,
      "write --timezone local, --timezone utc, or a name such as Europe/Berlin",
    );
  }
  return { name, wallMs: (atMs) => wallMs(atMs, name) };
}
