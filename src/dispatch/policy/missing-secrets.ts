import { Secret } from "../../model/privacy/secret.ts";
import type { Channel, Rules } from "../../rules/rules.ts";
import type { Random } from "../../system/clock.ts";
import type { Environment } from "../../system/environment.ts";
import { backoffMs } from "./retry-timing.ts";

/**
 * Channels of which this process cannot have a secret. One try a channel tells; each more would be a write and a line in
 * the journal for nothing. The environment does not change while the process lives; a password store may be
 * unlocked and a file written, so these are tried again with growing pauses, once for all that wait.
 */
export interface Lacking {
  /** `expiresAt`: of the delivery that was tried; both in milliseconds since the epoch. */
  note(name: string, channel: Channel | undefined, expiresAt: number, nowMs: number): void;
  /** The channel was tried, and this was not what it lacked. */
  forget(name: string): void;
  forgetAll(): void;
  /** Until when a try is of no use, in milliseconds since the epoch; undefined when it may be, as after a change of the settings. */
  until(name: string, channel: Channel | undefined, nowMs: number): number | undefined;
  /** Whether it is of no use until then because this process, of all, will never have it. */
  isForGood(name: string, channel: Channel | undefined, nowMs: number): boolean;
}

interface Lack {
  fingerprint: string | undefined;
  untilMs: number;
  isForGood: boolean;
  times: number;
}

export function createLacking({ env, random }: { env: Environment; random: Random }): Lacking {
  const noted = new Map<string, Lack>();
  const find = (name: string, channel: Channel | undefined): Lack | undefined => {
    const lack = noted.get(name);
    return lack?.fingerprint === channel?.fingerprint ? lack : undefined;
  };
  const until: Lacking["until"] = (name, channel, nowMs) => {
    const lack = find(name, channel);
    // What has expired is a dead letter, and only the next try makes it one.
    return lack === undefined || lack.untilMs <= nowMs ? undefined : lack.untilMs;
  };
  return {
    note(name, channel, expiresAt, nowMs) {
      const times = (find(name, channel)?.times ?? 0) + 1;
      const isForGood = lacksVariable(channel?.settings, env);
      const untilMs = isForGood ? expiresAt : Math.min(expiresAt, nowMs + backoffMs(times, random));
      noted.set(name, { fingerprint: channel?.fingerprint, untilMs, isForGood, times });
    },
    forget: (name) => void noted.delete(name),
    forgetAll: () => noted.clear(),
    until,
    isForGood: (name, channel, nowMs) =>
      until(name, channel, nowMs) !== undefined && find(name, channel)?.isForGood === true,
  };
}

/** Every secret that any channel has from the environment: a program of another one inherits it, and may print it. */
export function inheritedSecrets({ channels }: Pick<Rules, "channels">, env: Environment): Secret[] {
  const names = new Set(Object.values(channels).flatMap(({ settings }) => variablesIn(settings)));
  return [...names].map((name) => new Secret(env[name] ?? "")).filter((secret) => secret.reveal() !== "");
}

/** Whether these settings name a variable that is not there, and for this process never will be. */
function lacksVariable(settings: unknown, env: Environment): boolean {
  return variablesIn(settings).some((name) => (env[name] ?? "") === "");
}

/** The names in all `{ "env": NAME }` of settings that are not resolved yet. */
function variablesIn(settings: unknown): string[] {
  if (typeof settings !== "object" || settings === null || settings instanceof Secret) return [];
  if ("from" in settings && settings.from === "env" && "name" in settings) return [String(settings.name)];
  return Object.values(settings).flatMap(variablesIn);
}
