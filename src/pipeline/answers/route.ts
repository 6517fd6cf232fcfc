// Whether a dispatcher asks the person whom the hook would ask: an agent can start one in an environment of its own choice.
import type { Question } from "../../answers/questions.ts";
import type { Channel, Rules } from "../../rules/rules.ts";
import { sha256 } from "../../system/crypto.ts";
import type { Environment } from "../../system/environment.ts";
import { networkRoute } from "../../system/network/proxy.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { secretVariables } from "../understand/agent-environment.ts";

type Routes = Question["routes"];

export interface Surroundings {
  env: Environment;
  home: string;
  rulesFile: string;
  /** The state folder says which accounts are paired. */
  stateDir: string;
}

/** What decides whom each channel with answers reaches from here. */
export function routesOf(channels: Rules["channels"], here: Surroundings): Routes {
  const answering = Object.values(channels).filter(({ answers }) => answers);
  return Object.fromEntries(answering.map((channel) => [channel.name, routeOf(channel, here)]));
}

function routeOf(channel: Channel, { env, home, rulesFile, stateDir }: Surroundings): Routes[string] {
  const routeIn = channel.channelType.answers?.routeIn ?? networkRoute;
  const secrets = [...secretVariables({ channels: { [channel.name]: channel } })].filter((name) => env[name]);
  return {
    settings: digest([rulesFile, stateDir, home, channel.fingerprint]),
    ways: [digest(routeIn(env)), digest(routeIn({}))],
    secrets: Object.fromEntries(secrets.map((name) => [name, digest(env[name])])),
  };
}

function digest(value: unknown): string {
  return sha256(JSON.stringify(value));
}

/**
 * Why the channel must not carry this question's answer; undefined if it may. The dispatcher must reach the channel as the
 * hook would, or as a program with an empty environment would. A secret that the hook does not have cannot be compared.
 */
export function whyElsewhere(
  { rulesFile, tools }: Pick<Dispatcher, "rulesFile" | "tools">,
  { routes }: Question,
  channel: Channel,
): string | undefined {
  const asked = Object.hasOwn(routes, channel.name) ? routes[channel.name] : undefined;
  const { env, home, stateDir } = tools;
  const own = routeOf(channel, { env, home, rulesFile, stateDir });
  if (asked?.settings !== own.settings)
    return "the dispatcher has other rules or another state folder than the hook that asks";
  const [way = ""] = own.ways;
  if (!asked.ways.includes(way))
    return "the dispatcher has another session bus, proxy or certificate than the hook that asks";
  const other = Object.entries(asked.secrets).find(([name, value]) => own.secrets[name] !== value);
  return other && `the dispatcher has another value of ${other[0]} than the hook that asks`;
}
