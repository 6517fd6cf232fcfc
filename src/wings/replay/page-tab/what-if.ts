// The tab "What if": replays the journal under the rules that a browser sends, in a process of its own, one at a time.
import { join } from "node:path";
import type { Node } from "jsonc-parser";
import * as z from "zod";
import type { Device } from "../../../answers/browsers/devices.ts";
import { replaceValue } from "../../../jsonc/edit.ts";
import { itemsOf, memberOf } from "../../../jsonc/nodes.ts";
import { treeOf } from "../../../jsonc/parse.ts";
import { styleOf } from "../../../jsonc/style.ts";
import { listOf, objectIn, objectOf, textOf } from "../../../model/json.ts";
import { defaultRulesText } from "../../../rules/default-rules.ts";
import { literalSecretsIn } from "../../../rules/literal-secrets.ts";
import { loadRules } from "../../../rules/load.ts";
import { maskSecrets } from "../../../rules/mask-secrets.ts";
import { readRulesFile } from "../../../rules/read-rules-file.ts";
import { inTemporaryFolder } from "../../../system/files/files.ts";
import { writeWholeSoon } from "../../../system/files/write.ts";
import { ownPackageFolder, runningNode } from "../../../system/package.ts";
import { runProcess } from "../../../system/process/run.ts";
import { HttpProblem } from "../../../http-server/problems.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import type { ReplayReport } from "../report.ts";
import type { OwnRules, WhatIfAsked, WhatIfLine } from "./contract.ts";

export const maxWhatIfBytes = 256 * 1024;
/** The newest; `hookbell replay --json` prints all. */
const maxListed = 2000;
const longestMs = 15 * 60_000;
const maxOutputBytes = 64 * 1024 * 1024;
/** The server closes connections that are silent for 20 seconds. */
const beatMs = 1000;

export const whatIfSchema: z.ZodType<WhatIfAsked> = z.object({
  days: z.union([z.literal(1), z.literal(7), z.literal(30)]),
  rules: z.string(),
});

export interface WhatIf {
  /** Streams lines of JSON. `device` is asked again each second; if it was revoked, the replay ends. */
  open(asked: WhatIfAsked, device: () => Device | undefined): Response;
  close(): void;
}

export function createWhatIf(io: Pick<CommandIo, "env" | "clock">): WhatIf {
  let current: AbortController | undefined;
  return {
    open(asked, device) {
      if (current !== undefined) throw new HttpProblem(409, "another replay is running; wait for its end, or stop it");
      const stop = new AbortController();
      current = stop;
      const startedAt = io.clock.now();
      const encoder = new TextEncoder();
      let cancelBeat = (): void => {};
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          const say = (line: WhatIfLine): void => {
            if (!stop.signal.aborted) controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`));
          };
          const beat = (): void => {
            say({ what: "working", seconds: Math.round((io.clock.now() - startedAt) / 1000) });
            if (device() === undefined) stop.abort();
            else cancelBeat = io.clock.after(beatMs, beat);
          };
          beat();
          replayInChild(asked, io, stop.signal)
            .then(say, (error: unknown) => say({ what: "refused", text: (error as Error).message, problems: [] }))
            .finally(() => {
              cancelBeat();
              current = undefined;
              try {
                controller.close();
              } catch {
                // The browser has left.
              }
            });
        },
        cancel: () => stop.abort(),
      });
      return new Response(body, { headers: { "content-type": "application/x-ndjson", "x-accel-buffering": "no" } });
    },
    close: () => current?.abort(),
  };
}

async function replayInChild(
  { days, rules }: WhatIfAsked,
  { env }: Pick<CommandIo, "env">,
  signal: AbortSignal,
): Promise<WhatIfLine> {
  const replay = async (folder: string): Promise<WhatIfLine> => {
    const file = join(folder, "rules.jsonc");
    writeWholeSoon(file, rules);
    const ended = await runProcess({
      argv: [
        runningNode(),
        join(ownPackageFolder(), "dist/cli.js"),
        "replay",
        "--json",
        "--since",
        `${days}d`,
        "--rules",
        file,
      ],
      // The folder is removed with all that the child leaves there, also if the child is killed.
      env: { ...env, TMPDIR: folder },
      timeoutMs: longestMs,
      maxOutputBytes,
      signal,
    });
    if (ended.status !== "exited")
      return refused(ended.status === "timedOut" ? "the replay took too long" : "the replay did not run");
    return readOutput(ended.stdout);
  };
  return await inTemporaryFolder(replay, { preferMemory: true });
}

function readOutput(stdout: string): WhatIfLine {
  const { error, ...printed } = objectIn(stdout);
  if (error !== undefined) return refusedWith(objectOf(error));
  if (typeof printed.headline !== "string") return refused("the replay ended without a result");
  const report = printed as unknown as ReplayReport;
  const { differences, questions } = report;
  return {
    what: "report",
    report: {
      ...report,
      differences: differences.slice(-maxListed),
      differenceCount: differences.length,
      questions: questions.slice(-maxListed),
    },
  };
}

function refused(text: string): WhatIfLine {
  return { what: "refused", text, problems: [] };
}

function refusedWith({ message, problems }: Record<string, unknown>): WhatIfLine {
  const listed = listOf(problems).map(objectOf);
  const number = (value: unknown): number => (typeof value === "number" ? value : 1);
  return {
    what: "refused",
    text: textOf(message) ?? "the replay failed",
    problems: listed.map(({ line, column, message: said, hint }) => ({
      line: number(line),
      column: number(column),
      text: textOf(said) ?? "",
      hint: textOf(hint),
    })),
  };
}

/** Stands for a secret that the file holds. A replay reads none. */
const hiddenSecret = { env: "HIDDEN" };

/** The rules that apply, without the secrets that are written into the file. */
export async function readOwnRules(rulesFile: string): Promise<OwnRules> {
  const reading = readRulesFile(rulesFile);
  if ("unreadable" in reading) return { text: "", note: `The rules file cannot be read: ${reading.unreadable}.` };
  const { text } = reading;
  if (text === undefined)
    return { text: defaultRulesText, note: "You have no rules file; these are the built-in rules." };
  const loaded = await loadRules(text);
  // Masks keep what is wrong in its place, but addresses with masks are none.
  if (loaded.status === "broken")
    return { text: maskSecrets(text), note: "Your rules file is broken; secrets in it are hidden." };
  let hidden = text;
  for (const { name, settings } of Object.values(loaded.rules.channels)) {
    for (const path of literalSecretsIn(settings)) {
      const root = treeOf(hidden);
      const place = ["channels", name, ...path].reduce(valueIn, root);
      if (place !== undefined) hidden = replaceValue(hidden, place, hiddenSecret, styleOf(hidden, root));
    }
  }
  const note = hidden === text ? undefined : 'Secrets that stand in your file are shown as { "env": "HIDDEN" }.';
  return { text: hidden, note };
}

function valueIn(node: Node | undefined, key: string): Node | undefined {
  return node?.type === "array" ? itemsOf(node)[Number(key)] : memberOf(node, key);
}
