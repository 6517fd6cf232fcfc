// What the tab "Deliveries" shows: the health of each channel, and what reached none.
import { withInstants } from "./why/instants.ts";
import { printableLine } from "../../model/text.ts";
import { deliveryIdIn, listDeliveries, readDelivery } from "../../outbox/deliveries/deliveries.ts";
import { listEndpoints } from "../../outbox/endpoints.ts";
import type { Layout } from "../../outbox/layout.ts";
import { readRules, type CurrentRules } from "../../pipeline/current-rules.ts";
import {
  findFailing,
  findGivenUp,
  findWaiting,
  shortWhy,
  troubled,
  troubleOf,
} from "../../commands/pipeline/waiting.ts";
import type { BrokenChannel, DeadLetter, Deliveries } from "./contract.ts";

/** The newest ones; `hookbell retry --all` takes all. */
const maxDead = 500;

/** What the journal says of a channel's last message counts where its receiver has no trouble, such as a sound that no one plays. */
export function brokenChannels(layout: Layout, current: CurrentRules, nowMs: number): BrokenChannel[] {
  const failing = findFailing(layout, current.rules).map(({ channel, at, detail }): BrokenChannel => ({
    channel,
    at: Date.parse(at),
    why: shortWhy(detail),
  }));
  const off = troubled(listEndpoints(layout), current, nowMs).map((endpoint): BrokenChannel => ({
    channel: endpoint.channel,
    ...troubleOf(endpoint, nowMs),
  }));
  return [...new Map([...failing, ...off].map((each) => [each.channel, each])).values()];
}

export async function readDeliveries(layout: Layout, rulesFile: string, nowMs: number): Promise<Deliveries> {
  const current = await readRules(rulesFile, layout);
  const { rules } = current;
  const trouble = new Map(brokenChannels(layout, current, nowMs).map(({ channel, ...how }) => [channel, how]));
  const waiting = new Map(
    findWaiting(layout, rules, nowMs).map(({ channel, count, until, detail, reason }) => {
      const said = detail === undefined ? undefined : printableLine(detail);
      const why = said === undefined || reason !== undefined ? said : withInstants(said, nowMs, until);
      return [channel, { count, until: until > nowMs ? until : undefined, why }];
    }),
  );
  const names = new Set([...Object.keys(rules.channels), ...trouble.keys(), ...waiting.keys()]);
  const files = listDeliveries(layout, "dead");
  const givenUp = new Map(findGivenUp(layout).map((each) => [each.channel, each.count]));
  return {
    channels: [...names].map((name) => ({
      name,
      type: Object.hasOwn(rules.channels, name) ? rules.channels[name]?.type : undefined,
      trouble: trouble.get(name),
      waiting: waiting.get(name),
      failed: givenUp.get(name) ?? 0,
    })),
    dead: files
      .toReversed()
      .slice(0, maxDead)
      .flatMap((file) => deadLetterOf(layout, file)),
    deadCount: files.length,
  };
}

function deadLetterOf(layout: Layout, file: string): DeadLetter[] {
  const reading = readDelivery(layout, "dead", file);
  if (reading.status !== "read") return [];
  const { channel, message, event, lastFailure, attempts } = reading.delivery;
  const why = lastFailure === undefined ? undefined : printableLine(`${lastFailure.reason}: ${lastFailure.detail}`);
  return [{ id: deliveryIdIn(file), channel, title: message.title, at: Date.parse(event.at), attempts, why }];
}

/** The files of these letters that are still there. */
export function deadFiles(layout: Layout, ids: readonly string[]): string[] {
  return listDeliveries(layout, "dead").filter((file) => ids.includes(deliveryIdIn(file)));
}
