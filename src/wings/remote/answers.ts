// The hooks of one remote that wait for answers: each is kept as a file, so that it is answered whichever process waits.
import { join } from "node:path";
import * as z from "zod";
import type { Layout } from "../../outbox/layout.ts";
import { ensurePrivateDir, listNames, tryToRemove } from "../../system/files/files.ts";
import { readJson } from "../../system/files/read.ts";
import { writeWholeSoon } from "../../system/files/write.ts";
import type { Host } from "./host.ts";
import type { AskingEvent } from "./receive.ts";
import type { Asking } from "../../daemon/leased/ask-for-remotes.ts";
import { remoteFolder } from "./remotes.ts";

/** What the machines that are followed use of it. */
export type RemoteAsking = Pick<Asking, "ask" | "answer" | "answeredThere">;

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

const eventSchema: z.ZodType<AskingEvent> = z.object({
  id: z.string(),
  eventId: z.string(),
  name: z.string(),
  agentId: z.string().optional(),
  eventName: z.string().optional(),
  text: z.string(),
});

export function createAnswers(layout: Layout, name: string, asking: RemoteAsking, signal: AbortSignal): Answers {
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
