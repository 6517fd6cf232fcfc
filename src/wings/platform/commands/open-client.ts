// Creates the platform's client from the environment or the rules file.
import type { PlatformClient } from "../client/client.ts";
import { platformVariables, type PlatformSettings } from "../../../wing-settings/platform.ts";
import { createClient } from "../open-client.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { usableRules } from "../../../commands/pipeline/load-rules.ts";
import { viewDispatcher } from "../../../daemon/open-dispatcher.ts";

/** Throws 64 if no key is set. The address is checked only when an operation needs it. */
export async function openPlatformClient(
  io: CommandIo,
  rulesFile: string | undefined,
): Promise<{ client: PlatformClient; settings: PlatformSettings }> {
  const settings = await readSettings(io, rulesFile);
  return { client: await createClient(io, settings, noteTo(io)), settings };
}

/** Undefined if no part of a platform is configured. */
export async function findPlatformClient(
  io: CommandIo,
  rulesFile: string | undefined,
  onNote = noteTo(io),
): Promise<PlatformClient | undefined> {
  const settings = await readSettings(io, rulesFile);
  const { baseUrl, apiKey } = platformVariables;
  const isSet = settings.baseUrl ?? settings.apiKey ?? (io.env[baseUrl] || io.env[apiKey]);
  return isSet ? await createClient(io, settings, onNote) : undefined;
}

function noteTo(io: CommandIo): (text: string) => void {
  return (text) => io.stderr(`hookbell: ${text}\n`);
}

/** Empty without a part "platform" of the rules file. */
export async function readSettings(io: CommandIo, rulesFile: string | undefined): Promise<PlatformSettings> {
  return usableRules(await viewDispatcher(io, rulesFile), rulesFile, io).rules.platform ?? {};
}
