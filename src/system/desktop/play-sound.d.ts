// The package has no types of its own.
declare module "play-sound" {
  import type { ChildProcess } from "node:child_process";

  interface Player {
    play(
      file: string,
      options: Record<string, unknown>,
      next: (error: Error | number | null) => void,
    ): ChildProcess | null;
  }
  export default function playSound(options: { player: string }): Player;
}
