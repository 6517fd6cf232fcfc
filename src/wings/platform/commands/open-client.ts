// Creates the platform's client from the environment or the rules file.
import type { PlatformClient } from "../client/client.ts";
import { platformVariables, type PlatformSettings } from "../../../wing-settings/platform.ts";
import { createClient } from "../open-client.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { goodRules, usableRules } from "../../../commands/pipeline/load-rules.ts";
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
  settings: PlatformSettings,
  onNote = noteTo(io),
): Promise<PlatformClient | undefined> {
  const isSet = settings.baseUrl ?? settings.apiKey ?? isInEnvironment(io);
  return isSet ? await createClient(io, settings, onNote) : undefined;
}

function isInEnvironment({ env }: CommandIo): boolean {
  const { baseUrl, apiKey } = platformVariables;
  return Boolean(env[baseUrl] || env[apiKey]);
}

function noteTo(io: CommandIo): (text: string) => void {
  return (text) => io.stderr(`hookbell: ${text}\n`);
}

/**
 * Empty without a part "platform" of the rules file. Throws with every problem of a broken file that may have such a part, where
 * neither the rules that apply instead nor the environment say which platform it is.
 */
export async function readSettings(io: CommandIo, rulesFile: string | undefined): Promise<PlatformSettings> {
  const dispatcher = await viewDispatcher(io, rulesFile);
  const { rules, problems, text } = dispatcher.rules();
  if (rules.platform !== undefined) return usableRules(dispatcher, rulesFile, io).rules.platform ?? {};
  const isHidden = problems.length > 0 && text.includes('"platform"') && !isInEnvironment(io);
  return (isHidden ? goodRules : usableRules)(dispatcher, rulesFile, io).rules.platform ?? {};
}
