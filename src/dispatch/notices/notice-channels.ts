import { readEndpoint, type Endpoint } from "../../outbox/endpoints.ts";
import { questionChannels } from "../../rules/apply/question-channels.ts";
import type { Channel } from "../../rules/rules.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { breakerThreshold } from "../policy/endpoint-policy.ts";

/** Whoever has more channels than this may have all of them fail for one reason. */
const mostChannels = 4;

/**
 * Who hears of hookbell's own notices where the desktop cannot show them, the best first: those that rules name for what
 * an agent asks, then the others; what does not work now comes last. `subject` is the channel that the notice is about.
 */
export function noticeChannels({ rules, layout }: Dispatcher, subject: string | undefined): Channel[] {
  const { channels, rules: all } = rules().rules;
  const names = new Set([...questionChannels(all), ...Object.keys(channels)]);
  const usable = [...names].flatMap((name) => {
    const channel = channels[name];
    if (channel === undefined || name === subject || channel.type === "desktop") return [];
    if (channel.channelType.isUnfitForNotices === true) return [];
    const endpoint = readEndpoint(layout, name);
    if (endpoint.switchedOff?.fingerprint === channel.fingerprint) return [];
    return [{ channel, isTroubled: isTroubled(endpoint) }];
  });
  const sorted = [...usable.filter((each) => !each.isTroubled), ...usable.filter((each) => each.isTroubled)];
  return sorted.slice(0, mostChannels).map(({ channel }) => channel);
}

function isTroubled({ breaker, missingSecret }: Endpoint): boolean {
  return missingSecret !== undefined || (breaker?.failures ?? 0) >= breakerThreshold;
}
