import type { Channel } from "../rules/rules.ts";

/**
 * Channels of which this process's environment lacks a secret. It does not change while the process lives, so one try
 * a channel tells; each more would be a write and a line in the journal for nothing.
 */
export interface Lacking {
  /** `expiresAt`: of the delivery that was tried, in milliseconds since the epoch. */
  note(name: string, channel: Channel | undefined, expiresAt: number): void;
  /** The channel was tried, and this was not what it lacked. */
  forget(name: string): void;
  forgetAll(): void;
  /** Until when a try is of no use, in milliseconds since the epoch; undefined when it may be, as after a change of the settings. */
  until(name: string, channel: Channel | undefined, nowMs: number): number | undefined;
}

export function createLacking(): Lacking {
  const noted = new Map<string, { fingerprint: string | undefined; expiresAt: number }>();
  return {
    note: (name, channel, expiresAt) => void noted.set(name, { fingerprint: channel?.fingerprint, expiresAt }),
    forget: (name) => void noted.delete(name),
    forgetAll: () => noted.clear(),
    until(name, channel, nowMs) {
      const lack = noted.get(name);
      // What has expired is a dead letter, and only the next try makes it one.
      return lack === undefined || lack.fingerprint !== channel?.fingerprint || lack.expiresAt <= nowMs
        ? undefined
        : lack.expiresAt;
    },
  };
}
