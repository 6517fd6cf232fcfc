// Records what an attempt has shown of its channel: whether its receiver answers, and whether its secret is there.
import type { Dispatcher } from "../dispatcher.ts";
import { notifyPerson } from "../notices.ts";
import { withOutcome } from "../channel/endpoint-policy.ts";
import type { DeliveryFile } from "../../outbox/deliveries/deliveries.ts";
import { writeEndpoint } from "../../outbox/endpoints.ts";
import type { Attempt } from "./attempt.ts";

/** A notice that fails makes no notice. */
export function recordEndpoint(dispatcher: Dispatcher, attempt: Attempt, isNotice: boolean): DeliveryFile[] {
  if (attempt.state.channel === undefined) return [];
  if (attempt.secretsDigest !== undefined) return recordAsked(dispatcher, attempt, attempt.secretsDigest, isNotice);
  return isNotice ? [] : recordMissing(dispatcher, attempt);
}

function recordAsked(
  dispatcher: Dispatcher,
  { state: { name, channel, endpoint: before }, outcome }: Attempt,
  secretsDigest: string,
  isNotice: boolean,
): DeliveryFile[] {
  const { layout, tools } = dispatcher;
  const fingerprint = channel?.fingerprint ?? "";
  const nowMs = tools.clock.now();
  const after = withOutcome(before, outcome, { nowMs, random: tools.random, fingerprint, secretsDigest });
  const { switchedOff } = after;
  const isNewlyOff = switchedOff !== undefined && switchedOff !== before.switchedOff;
  // The next message finds out again that the channel is off.
  if (isNewlyOff && isNotice) return [];
  // Notify before saving: after a crash the receiver is asked once more.
  const added = !isNewlyOff
    ? []
    : notifyPerson(dispatcher, `off ${name} ${fingerprint} ${secretsDigest} ${switchedOff.at}`, {
        title: `hookbell: channel "${name}" is switched off`,
        body: `${switchedOff.detail}. Fix its settings or its secret, then: hookbell test ${name}`,
        plain: { title: "hookbell: a channel is switched off", body: "hookbell status says which, and why." },
        ofChannel: name,
      });
  if (JSON.stringify(before) !== JSON.stringify(after)) writeEndpoint(layout, after);
  return added;
}

/** A command in the foreground shows the missing secret anyway. */
function recordMissing(dispatcher: Dispatcher, { state: { name, endpoint }, outcome }: Attempt): DeliveryFile[] {
  if (outcome.status === "delivered" || outcome.reason !== "missingSecret") return [];
  const { layout, tools, isForeground = false } = dispatcher;
  const { detail } = outcome;
  if (endpoint.missingSecret?.detail === detail) return [];
  const title = `hookbell: channel "${name}" waits for its secret`;
  const plain = { title: "hookbell: a channel waits for its secret", body: "hookbell status says which, and why." };
  const notice = { title, body: detail, plain, ofChannel: name };
  const added = isForeground ? [] : notifyPerson(dispatcher, `missing ${name} ${detail}`, notice);
  writeEndpoint(layout, { ...endpoint, missingSecret: { detail, at: tools.clock.now() } });
  return added;
}
