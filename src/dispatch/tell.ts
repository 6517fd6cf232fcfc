import { deliveryFormatVersion, type Delivery } from "../model/delivery.ts";
import { deliveryFileName, deliveryIdOf, writeDelivery } from "../outbox/deliveries.ts";
import { writeJournal } from "../outbox/journal.ts";
import { isKnownNotice, rememberNotice } from "../outbox/notices.ts";
import { builtInRules } from "../rules/built-in.ts";
import type { Channel, Rules } from "../rules/rules.ts";
import { uniqueName } from "../system/unique-name.ts";
import type { Dispatcher } from "./dispatcher.ts";

/** The name of the built-in desktop channel, for people whose own rules have none. */
const builtInDesktop = "desktop";

/** A channel of the rules; the built-in desktop channel is always there for hookbell's own notices. */
export function findChannel(rules: Rules, name: string): Channel | undefined {
  if (Object.hasOwn(rules.channels, name)) return rules.channels[name];
  return name === builtInDesktop ? builtInRules().channels[builtInDesktop] : undefined;
}

/**
 * Tells the person something about hookbell itself, through the desktop, once for each key. Goes through the outbox
 * like everything else; returns the delivery it added, if any.
 */
export function tellPerson(
  { layout, rules, tools, host }: Dispatcher,
  key: string,
  notice: { title: string; body: string },
): { file: string; delivery: Delivery }[] {
  if (isKnownNotice(layout, key)) return [];
  const now = tools.clock.now();
  const desktop = Object.values(rules().rules.channels).find((channel) => channel.type === "desktop");
  const channel = desktop ?? builtInRules().channels[builtInDesktop];
  if (channel === undefined) return [];
  const event = {
    id: `evt_notice${now.toString(36)}`,
    name: "HookbellNotice",
    agent: "hookbell",
    session: "hookbell",
    cwd: layout.root,
    project: "hookbell",
    host,
    at: new Date(now).toISOString(),
    level: "attention" as const,
    message: notice.body,
    title: notice.title,
  };
  const delivery: Delivery = {
    version: deliveryFormatVersion,
    id: deliveryIdOf(event.id, `${channel.name} ${key}`),
    channel: channel.name,
    rule: "hookbell's own notice",
    event,
    message: { ...notice, level: "attention", fields: [] },
    fallback: [],
    createdAt: now,
    notBefore: now,
    expiresAt: now + channel.expiresAfterMs,
    attempts: 0,
  };
  const file = deliveryFileName(uniqueName(now), 0, delivery.id);
  writeDelivery(layout, "outbox", file, delivery);
  // Told twice after a crash in between rather than never.
  rememberNotice(layout, key);
  writeJournal(layout, now, { kind: "notice", ...notice, channel: channel.name });
  return [{ file, delivery }];
}
