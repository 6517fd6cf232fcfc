// Makes dispatchers hang at a file: real processes in a loop that does not end.
import { once } from "node:events";
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { ensureLayout } from "../../../src/outbox/layout.ts";
import { readLease } from "../../../src/outbox/lease/lease.ts";
import { readNote } from "../../../src/outbox/stuck/note.ts";
import { writeIncoming } from "../../../src/outbox/write-incoming.ts";
import { rulesTo } from "../project/running-dispatcher.ts";
import { payloadOf, temporaryProject } from "../project/running-project.ts";
import { startHttpReceiver } from "../receivers/http-receiver.ts";

const preload = new URL("hang.mjs", import.meta.url).href;

/** What to add to the environment of hooks, or of a dispatcher, so that a dispatcher hangs when it reads such a file. */
function hangingAt(path: RegExp, restsAfterMs: number | undefined): Record<string, string> {
  return {
    NODE_OPTIONS: `--import=${preload}`,
    TEST_HANG_AT: path.source,
    ...(restsAfterMs === undefined ? {} : { TEST_HANG_RESTS_AFTER_MS: String(restsAfterMs) }),
  };
}

/** A project with a repository and its own file, whose dispatchers hang at such a file. */
export async function projectThatHangsAt(path: RegExp, { restsAfterMs }: { restsAfterMs?: number } = {}) {
  const receiver = await startHttpReceiver();
  onTestFinished(receiver.close);
  const project = temporaryProject();
  const { layout } = project;
  Object.assign(project.env, hangingAt(path, restsAfterMs));
  project.writeRules(rulesTo(`${receiver.origin}/x`));
  ensureLayout(layout);
  const repository = join(project.home, "repository");
  mkdirSync(join(repository, ".git"), { recursive: true });
  writeFileSync(join(repository, ".git", "HEAD"), "ref: refs/heads/main\n");
  const projectFile = join(repository, ".hookbell.jsonc");
  writeFileSync(projectFile, '{ "label": "payments" }');
  const accept = (session_id: string, eventName = "Stop"): void => {
    const text = payloadOf(eventName, { session_id, cwd: repository });
    writeIncoming(layout, text, { agentId: "generic", eventName, nowMs: Date.now() });
  };
  return {
    ...project,
    receiver,
    repository,
    projectFile,
    accept,
    told: (session: string): string[] =>
      receiver.requests.flatMap(({ body }) => (body.includes(`"session":"${session}"`) ? [body] : [])),
    details: (what: string): unknown[] =>
      project.journal().flatMap((entry) => (entry.what === what ? [entry.detail] : [])),
    /** Resolves when it hangs; its lease has run out then, as it does in 15 seconds, or holds for longer than any test. */
    async hang({ isExpired = true } = {}) {
      const dispatcher = project.start(["dispatch"]);
      const end = once(dispatcher, "exit");
      const pid = dispatcher.pid ?? 0;
      const isAtIt = (): boolean => {
        const { file, work } = readNote(layout, pid) ?? {};
        return path.test(file ?? "") || path.test(work ?? "");
      };
      await project.until("the dispatcher that hangs", () => readLease(layout)?.holder.pid === pid && isAtIt());
      const until = Date.now() / 1000 + (isExpired ? -1 : 3600);
      utimesSync(layout.lease, until, until);
      return { pid, end };
    },
    dispatch: () => project.run(["dispatch", "--until-idle"]),
  };
}
