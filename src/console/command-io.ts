// What a command may use: streams, environment, clock, paths. Tests make their own.
import type { ReadPayload } from "../intake/read-hook-input.ts";
import { type Clock, type Random, systemClock, systemRandom } from "../system/clock.ts";
import { currentFolder, type Environment, systemEnvironment } from "../system/environment.ts";
import { findPlaces, type Places } from "../system/paths.ts";
import { ownAncestry, type ProcessInChain } from "../system/process/identity.ts";
import { systemTerminal, type Terminal } from "../system/terminal/terminal.ts";

export interface CommandIo extends Terminal {
  env: Environment;
  clock: Clock;
  random: Random;
  places: Places;
  platform: NodeJS.Platform;
  cwd: string;
  /** This process and its ancestors; empty on Windows. */
  ancestry(): readonly ProcessInChain[];
  /** What a hook reads, in place of standard input. */
  readPayload?: ReadPayload;
}

export function createCommandIo(): CommandIo {
  const env = systemEnvironment();
  // Spreading would look at every stream.
  return Object.assign(systemTerminal(env), {
    env,
    clock: systemClock,
    random: systemRandom,
    places: findPlaces(env),
    platform: process.platform,
    cwd: currentFolder(),
    ancestry: ownAncestry,
  });
}
