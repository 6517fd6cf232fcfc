// The observers of open sessions; each can be left out.
import { observeCommands } from "./command-started.ts";
import type { Observer } from "./observer.ts";
import { observeProcess } from "./process-gone.ts";
import { observeStatus } from "./session-status.ts";
import { observeReview } from "./review-over.ts";
import { createTranscriptReader } from "./transcript.ts";
import { observeTurn } from "./turn-in-transcript.ts";

/** The first that can tell has the say. */
export function createObservers(): readonly Observer[] {
  const reader = createTranscriptReader();
  return [observeProcess(), observeReview, observeStatus(reader), observeCommands(reader), observeTurn(reader)];
}
