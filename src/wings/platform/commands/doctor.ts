// `doctor`: checks the agent platform in the rules file: the key, its access, and whether anything polls.
import { formatDuration } from "../../../model/figures/duration.ts";
import { docsUrl, UserError } from "../../../model/errors.ts";
import type { PlatformClient } from "../client/client.ts";
import { addDays, utcDate } from "../contract/dates.ts";
import { lastPolledAt } from "../events/cursor.ts";
import { isPolled, type PlatformSettings } from "../../../wing-settings/platform.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { broken, type Finding, ok, warning } from "../../../console/output/finding.ts";
import { createClient } from "../open-client.ts";

/** A digest is sent once a day. */
const maxPollAgeMs = 24 * 60 * 60 * 1000;

/** Nothing if the rules file names no platform. */
export async function examinePlatform(io: CommandIo, settings: PlatformSettings | undefined): Promise<Finding[]> {
  if (settings === undefined) return [];
  try {
    const text = await askPlatform(await createClient(io, settings), settings, io.clock.now());
    return [ok(text), ...examinePolls(io, settings)];
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const { message, hint = `see ${docsUrl("reference/PLATFORM.md")}` } = error;
    return [broken(message, "hookbell doctor", hint), ...examinePolls(io, settings)];
  }
}

/** The smallest request that shows whether it works. */
async function askPlatform(client: PlatformClient, settings: PlatformSettings, nowMs: number): Promise<string> {
  const { digest, budgets = [], readiness = false } = settings;
  const isUsage = digest !== undefined || budgets.length > 0 || !readiness;
  const yesterday = addDays(utcDate(nowMs), -1);
  if (isUsage) await client.getActivity({ startDate: yesterday, endDate: yesterday });
  if (readiness) await client.getReadinessPage({ limit: 1 });
  return `it answers, and the key may read ${[isUsage ? "usage" : "", readiness ? "readiness reports" : ""].filter(Boolean).join(" and ")}`;
}

function examinePolls({ places, clock, platform }: CommandIo, settings: PlatformSettings): Finding[] {
  if (!isPolled(settings)) return [];
  const at = lastPolledAt(places.stateDir);
  const ageMs = at === undefined ? undefined : Math.max(0, clock.now() - at);
  const text = ageMs === undefined ? "it was never polled for events" : `last polled ${formatDuration(ageMs)} ago`;
  if (ageMs !== undefined && ageMs <= maxPollAgeMs) return [ok(text)];
  const how = platform === "win32" ? "this says what to put into Task Scheduler" : "add this line to your crontab";
  const fix = `a dispatcher asks while it runs; to ask on other days as well, ${how}:`;
  return [warning(text, "hookbell platform cron", fix)];
}
