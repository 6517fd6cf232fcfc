// The hooks of one remote that wait for answers: each is kept as a file, so that it is answered whichever process waits.
import { join } from "node:path";
import * as z from "zod/mini";
import type { AskedElsewhere } from "../../model/answer.ts";
import type { Layout } from "../../outbox/layout.ts";
import { ensurePrivateDir, listNames, tryToRemove } from "../../system/files/files.ts";
import { readJson } from "../../system/files/read.ts";
import { writeWholeSoon } from "../../system/files/write.ts";
import type { Host } from "./host.ts";
import type { AskingEvent } from "./receive.ts";
import { remoteFolder } from "./remotes.ts";

/** How hooks of other machines get answers. */
export interface Asking {
  /** Asks the person, unless the hook is not to wait. */
  ask(event: AskedElsewhere, host: string): Promise<void>;
  /** Resolves to what the hook prints; empty for no decision. `leave`: another process will wait on. */
  answer(event: AskedElsewhere, host: string, leave: AbortSignal): Promise<string>;
  /** The hook waits no longer, since its agent was answered at the terminal there. */
  answeredThere(event: AskedElsewhere, host: string): void;
}

export interface Answers {
  /** Call it before the event can be taken in. */
  prepare(event: AskingEvent): Promise<void>;
  /** Waits for the answers to all that was prepared. */
  begin(): void;
  /** The hooks with these ids wait no longer. */
  end(hooks: readonly string[]): void;
  connect(host: Host): void;
  disconnect(): void;
}

const eventSchema: z.ZodMiniType<AskingEvent> = z.object({
  id: z.string(),
  eventId: z.string(),
  name: z.string(),
  agentId: z.optional(z.string()),
  eventName: z.optional(z.string()),
  text: z.string(),
});

export function createAnswers(layout: Layout, name: string, asking: Asking, signal: AbortSignal): Answers {
  const folder = join(remoteFolder(layout, name), "asking");
  const waiting = new Set<string>();
  /** Answers that came while there was no connection. */
  const unsent = new Map<string, string>();
  let host: Host | undefined;

  const send = (): void => {
    for (const [event, text] of host === undefined ? [] : unsent) {
      host?.answer(event, text);
      unsent.delete(event);
    }
  };
  const wait = async (file: string): Promise<void> => {
    const path = join(folder, file);
    const event = readJson(path, eventSchema);
    const text = event === undefined ? "" : await asking.answer(event, name, signal).catch(() => "");
    if (signal.aborted) return;
    tryToRemove(path);
    waiting.delete(file);
    if (event === undefined) return;
    unsent.set(event.name, text);
    send();
  };
  const begin = (): void => {
    for (const file of listNames(folder)) {
      if (waiting.has(file)) continue;
      waiting.add(file);
      void wait(file);
    }
  };
  const end = (hooks: readonly string[]): void => {
    for (const file of hooks.length === 0 ? [] : listNames(folder)) {
      const event = readJson(join(folder, file), eventSchema);
      if (event !== undefined && hooks.some((hook) => event.name.startsWith(`${hook}.`)))
        asking.answeredThere(event, name);
    }
  };
  return {
    end,
    async prepare(event) {
      await asking.ask(event, name);
      ensurePrivateDir(folder);
      writeWholeSoon(join(folder, `${event.id}.json`), JSON.stringify(event));
    },
    begin,
    connect(connected) {
      host = connected;
      begin();
      send();
    },
    disconnect: () => (host = undefined),
  };
}
