// When a delivery is tried again, and what is repeated after trouble with the disk.
import type { Delivery } from "../../model/delivery.ts";
import { codeOf, describeWriteError } from "../../model/errors.ts";
import { findUnusableFolder, foldersOf, type Layout } from "../../outbox/layout.ts";
import type { Channel } from "../../rules/rules.ts";
import type { Random } from "../../system/clock.ts";

/** Full jitter: https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/ */
export const firstBackoffMs = 2000;
export const maxBackoffMs = 15 * 60 * 1000;
export const minBackoffMs = 250;

/** The pause after a failed attempt; `attempts` counts from 1. */
export function backoffMs(attempts: number, random: Random, retryAfterMs = 0): number {
  const ceiling = Math.min(maxBackoffMs, firstBackoffMs * 2 ** Math.min(attempts - 1, 30));
  return Math.max(minBackoffMs, Math.ceil(random() * ceiling), retryAfterMs);
}

/** Reading the channel's secrets takes time, too, and machines may be slow. */
const slackMs = 15_000;

/** Only the command in the foreground sends it before this time. */
export function claimUntil(channel: Channel | undefined, nowMs: number): number {
  return nowMs + (channel?.channelType.timeoutMs ?? 0) + slackMs;
}

/** A secret that one dispatcher lacked, the next may have. */
export function dueAt({ notBefore, claimedUntil = 0, lastFailure }: Delivery): number {
  return Math.max(lastFailure?.reason === "missingSecret" ? 0 : notBefore, claimedUntil);
}

/** These are troubles of the disk, not of one file; they pass. */
const troubles: ReadonlySet<string | undefined> = new Set([
  "ENOSPC",
  "EDQUOT",
  "EROFS",
  "EIO",
  "EMFILE",
  "ENFILE",
  "ENOMEM",
  "ESTALE",
]);

export function isStorageTrouble(error: unknown): boolean {
  return troubles.has(codeOf(error));
}

/** What is wrong with the disk or with a folder of the state; undefined if this error has another cause. */
export function describeStorageTrouble(layout: Layout, error: unknown): string | undefined {
  if (isStorageTrouble(error)) return describeWriteError(error);
  if (codeOf(error) === undefined) return undefined;
  const unusable = findUnusableFolder(foldersOf(layout), 1);
  if (unusable !== undefined) return `${unusable.path} cannot be written: ${unusable.why}`;
  // The missing folder is there again now.
  const { path } = error as { path?: unknown };
  const isMissing = codeOf(error) === "ENOENT" && typeof path === "string" && path.startsWith(layout.root);
  return isMissing ? `${path}: ${describeWriteError(error)}` : undefined;
}

export const storageRetryMs = 5000;
