// Sends through a channel that runs a program, in a folder of its own, and reads what the program has written there.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChannelDefinition } from "../../../src/channels/channel-type.ts";
import { resolveSecrets } from "../../../src/system/secrets.ts";
import { localRequest, localTools } from "./channel-request.ts";
import type { Told } from "./shown.ts";

interface ProgramRun {
  settings(folder: string): Record<string, unknown>;
  told: Told;
  /** Put into the folder, which comes first on PATH. */
  program?: { name: string; script: string };
}

export async function sendWithProgram<Result>(
  channel: ChannelDefinition,
  { settings, told: { message, event }, program }: ProgramRun,
  read: (textOf: (name: string) => string) => Result,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "hookbell-shown-"));
  try {
    if (program !== undefined) writeFileSync(join(folder, program.name), program.script, { mode: 0o755 });
    const sent = localRequest(message, await resolveSecrets(channel.settings.parse(settings(folder)), {}, "/"));
    const env = { PATH: `${folder}:${process.env.PATH ?? ""}`, HOME: folder };
    const outcome = await channel.send({ ...sent, event: { ...sent.event, ...event } }, localTools(env, folder));
    if (outcome.status !== "delivered") throw new Error(JSON.stringify(outcome));
    return read((name) => readFileSync(join(folder, name), "utf8"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
