import { join } from "node:path";
import { listNames, statIfThere } from "../system/files.ts";
import { findProgram } from "../system/find-program.ts";
import type { ChannelTools } from "./define-channel.ts";

/** Whether a player on Linux could find anything to play on: a sound server, one that it starts itself, or a sound card. */
export function canReachSound({ env, platform }: Pick<ChannelTools, "env" | "platform">): boolean {
  if (platform !== "linux") return true;
  // Where it is on another machine, only a player can tell whether it answers.
  if (env.PULSE_SERVER || env.PIPEWIRE_REMOTE) return true;
  const sockets = env.XDG_RUNTIME_DIR ? ["pipewire-0", join("pulse", "native")] : [];
  if (sockets.some((name) => isThere(join(env.XDG_RUNTIME_DIR ?? "", name)))) return true;
  return findProgram("pulseaudio", env, platform) !== undefined || hasSoundCard();
}

function hasSoundCard(): boolean {
  try {
    return listNames("/dev/snd").some((name) => /^pcm.*p$/.test(name));
  } catch {
    return false;
  }
}

function isThere(path: string): boolean {
  try {
    return statIfThere(path) !== undefined;
  } catch {
    return false;
  }
}
