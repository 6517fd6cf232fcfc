// A channel as a send finds it, read once and handed down.
import { type Endpoint, readEndpoint, writeEndpoint } from "../../outbox/endpoints.ts";
import { findChannel } from "../../rules/built-in.ts";
import type { Channel } from "../../rules/rules.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { openFrom, withRequest } from "../policy/endpoint-policy.ts";

export interface ChannelState {
  name: string;
  /** Undefined once the rules have no such channel. */
  channel: Channel | undefined;
  endpoint: Endpoint;
}

export function readChannelState({ layout, rules }: Dispatcher, name: string): ChannelState {
  return { name, channel: findChannel(rules().rules, name), endpoint: readEndpoint(layout, name) };
}

/** Milliseconds since the epoch. */
export function opensAt({ channel, endpoint }: ChannelState, nowMs: number): number {
  return openFrom(endpoint, rateOf({ channel, endpoint }), nowMs);
}

export function takeTurn({ layout }: Dispatcher, state: ChannelState, nowMs: number): ChannelState {
  const rate = rateOf(state);
  if (rate === undefined) return state;
  const endpoint = withRequest(state.endpoint, rate, nowMs);
  writeEndpoint(layout, endpoint);
  return { ...state, endpoint };
}

/** A receiver that is switched off is not asked, so it has no rate. */
function rateOf({ channel, endpoint: { switchedOff } }: Omit<ChannelState, "name">): Channel["channelType"]["rate"] {
  return switchedOff !== undefined && switchedOff.fingerprint === channel?.fingerprint
    ? undefined
    : channel?.channelType.rate;
}
