/** A receiver asking for more than this is treated as asking for this; the delivery may expire in the meantime. */
export const longestRetryAfterMs = 24 * 60 * 60 * 1000;

/** The three date formats of RFC 9110 section 5.6.7; `Date.parse` alone would take `apples 5` for a date. */
const httpDate =
  /^(?:[A-Z][a-z]{2,8}, \d{2}[ -][A-Z][a-z]{2}[ -]\d{2,4} [\d:]{8} GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4})$/;

function parseHttpDate(text: string | undefined): number | undefined {
  if (text === undefined || !httpDate.test(text)) return undefined;
  const atMs = Date.parse(text.endsWith("GMT") ? text : `${text} GMT`);
  return Number.isNaN(atMs) ? undefined : atMs;
}

/**
 * Retry-After (https://www.rfc-editor.org/rfc/rfc9110#field.retry-after) as milliseconds from now; undefined when it is
 * absent or nonsense. A date is counted from the answer's own `Date`, so that a clock that is off does no harm.
 */
export function parseRetryAfter(
  value: string | undefined,
  dateHeader: string | undefined,
  nowMs: number,
): number | undefined {
  const text = value?.trim() ?? "";
  // Some receivers send fractions, which the standard does not know.
  if (/^\d+(\.\d+)?$/.test(text)) return bounded(Number(text) * 1000);
  const atMs = parseHttpDate(text);
  return atMs === undefined ? undefined : bounded(atMs - (parseHttpDate(dateHeader) ?? nowMs));
}

function bounded(delayMs: number): number {
  return Math.min(Math.max(0, Math.ceil(delayMs)), longestRetryAfterMs);
}
