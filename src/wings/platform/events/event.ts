// An event of the platform, as a payload of the generic dialect: rules and channels need to know nothing.
import type { Figures } from "../../../model/event.ts";
import { formatShare } from "../../../model/figures/numbers.ts";

export type PlatformEventName =
  | "UsageDigest"
  | "CreditBudget"
  | "ReadinessReport"
  | "ReadinessRegression"
  | "ComputerInstall";

export interface PlatformEvent {
  /** The same whenever the same thing is found again, so that it is delivered once. */
  key: string;
  name: PlatformEventName;
  title: string;
  payload: Readonly<Record<string, unknown>>;
}

export interface EventText {
  key: string;
  name: PlatformEventName;
  /** What the event is about; rules see it as the project. */
  subject: string;
  title: string;
  message: string;
  reason?: string | undefined;
  /** The kind, for rules. */
  type?: string | undefined;
  figures?: Figures | undefined;
  /** For programs and templates, as `{payload.details.NAME}`. */
  details: Readonly<Record<string, unknown>>;
}

export function platformEvent({ key, name, subject, title, message, reason, type, ...rest }: EventText): PlatformEvent {
  const payload = {
    hook_event_name: name,
    session_id: key,
    cwd: subject,
    title,
    message,
    reason,
    notification_type: type,
    ...rest,
  };
  return { key, name, title, payload };
}

/** `large 80 %, small 20 %`: the greatest shares of a whole. */
export function showShares(values: ReadonlyMap<string, number>, most = 3): string {
  const total = [...values.values()].reduce((sum, value) => sum + value, 0);
  if (total <= 0) return "";
  return [...values]
    .filter(([, value]) => value > 0)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([name, value]) => `${name} ${formatShare(value, total)}`)
    .join(", ");
}
