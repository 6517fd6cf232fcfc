// Finds out whether the channel may be asked now, and gets what that needs: its breaker, its rate, the lease, its secrets.
import { failedCall, readyChannel } from "../channel/call-channel.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { isListEmpty } from "../coalescer/waiting-list.ts";
import { type ChannelState, isSwitchedOff, opensAt, takeTurn } from "../channel/endpoint-policy.ts";
import { readWaiting } from "../channel/waiting-delivery.ts";
import type { Delivery } from "../../model/delivery.ts";
import { formatLocalTime } from "../../model/figures/duration.ts";
import { delivered, failed, type Failed, type Outcome } from "../../model/outcome.ts";
import { type Ended, withFinding } from "../stages.ts";
import type { ChannelCall, DeliveryTools, KnownOutcome, Merged, Opened } from "./context.ts";
import { maxSleepMs } from "./queue/next-step.ts";

type OpenTools = Pick<DeliveryTools, "dispatcher" | "queues" | "lease">;

export function open({ queue, waiting, state }: Merged, tools: OpenTools): Ended | Promise<Opened | Ended> {
  const { dispatcher, queues, lease } = tools;
  const { file, claim } = waiting;
  const now = dispatcher.tools.clock.now();
  const openAt = opensAt(state, now);
  if (openAt > now) {
    // `hookbell test` may open it earlier.
    queue.closedUntil = Math.min(openAt, now + maxSleepMs);
    return { ended: "deferred", why: "its channel is closed" };
  }
  // A disk that takes not even this would take no outcome.
  if (!lease.renew()) return { ended: "deferred", why: "another dispatcher has the lease" };
  const counted = takeTurn(dispatcher, state, now);
  // The next attempt asks the fleet again.
  queues.change(file, { claim: undefined });
  return openFor({ queue, waiting, state: counted }, claim?.note, tools);
}

async function openFor(
  context: Merged,
  note: string | undefined,
  { dispatcher, queues }: OpenTools,
): Promise<Opened | Ended> {
  const { state, waiting } = context;
  const startedAt = dispatcher.tools.clock.now();
  const read = readWaiting(dispatcher, waiting.file);
  if (typeof read !== "object") {
    queues.dequeue(waiting.file);
    return { ended: "gone", why: "its file has left the outbox" };
  }
  const { claimedUntil: _, hold: __, ...delivery } = read;
  const trace = withFinding([], "open", `kind: ${delivery.kind}`, `attempt ${delivery.attempts + 1}`, note);
  const opened = { ...context, startedAt, delivery, note, trace };
  if (delivery.kind === "retraction") return { ...opened, attempt: { how: "retract", delivery } };
  const outcome = withoutChannel(dispatcher, delivery, state, startedAt);
  return { ...opened, attempt: outcome ?? (await callOf(dispatcher, delivery, state)) };
}

/** What needs no channel to be known. */
function withoutChannel(
  dispatcher: Dispatcher,
  delivery: Delivery,
  { endpoint }: ChannelState,
  nowMs: number,
): KnownOutcome | undefined {
  if (delivery.kind === "list" && isListEmpty(dispatcher, delivery.channel)) {
    return known(delivered({ detail: "not shown: no session waits any more" }));
  }
  return delivery.expiresAt <= nowMs ? known(expired(delivery, endpoint.missingSecret?.detail)) : undefined;
}

async function callOf(
  dispatcher: Dispatcher,
  delivery: Delivery,
  { channel, endpoint }: ChannelState,
): Promise<ChannelCall | KnownOutcome> {
  if (channel === undefined) {
    return known(failed("unavailable", `no channel "${delivery.channel}" in the rules file any more`));
  }
  const ready = await readyChannel(dispatcher, channel);
  if ("failure" in ready) {
    const lacking = failedCall(ready);
    // The secret may never come, so the next channel gets the message.
    return known(delivery.fallback.length > 0 ? failed("unavailable", lacking.detail) : lacking);
  }
  if (endpoint.switchedOff !== undefined && isSwitchedOff(endpoint, channel.fingerprint, ready.secretsDigest)) {
    const { reason, at, detail } = endpoint.switchedOff;
    return known(failed(reason, `switched off since ${formatLocalTime(at)}: ${detail}`));
  }
  return { how: "call", channel, ready };
}

function known(outcome: Outcome): KnownOutcome {
  return { how: "known", outcome };
}

/** `lacking`: of those that wait for a secret, only one is tried. */
function expired({ lastFailure }: Delivery, lacking: string | undefined): Failed {
  const { reason, detail } = lastFailure ?? { reason: "missingSecret", detail: lacking };
  const why = detail === undefined ? "it was never tried" : `last: ${reason}, ${detail}`;
  return failed("expired", `too old to be sent; ${why}`);
}
