// Makes the platform's client from the environment and the rules file's settings.
import { exitCodes, UserError } from "../../model/errors.ts";
import { Secret } from "../../model/privacy/secret.ts";
import { platformVariables, type PlatformSettings } from "../../wing-settings/platform.ts";
import { createSendHttp } from "../../system/network/send.ts";
import { resolveSecrets } from "../../system/secrets.ts";
import { createPlatformClient, type PlatformClient } from "./client/client.ts";
import type { PlatformAccess } from "./client/request.ts";
import type { DaemonIo } from "../../daemon/open-dispatcher.ts";

/** Throws 64 if no key is set. The address is checked only when an operation needs it. */
export async function createClient(
  io: DaemonIo,
  settings: PlatformSettings,
  onNote?: (text: string) => void,
): Promise<PlatformClient> {
  const { clock, random, env } = io;
  const noted = new Set<string>();
  const tools = {
    http: createSendHttp(env),
    clock,
    random,
    signal: io.untilStopped(),
    onNote(text: string) {
      // Each page of a list may have the same oddity.
      if (!noted.has(text)) onNote?.(text);
      noted.add(text);
    },
  };
  return createPlatformClient(await readAccess(settings, io), tools);
}

/** An empty variable counts as unset. */
async function readAccess(settings: PlatformSettings, { env, places }: DaemonIo): Promise<PlatformAccess> {
  const variables = {
    key: env[platformVariables.apiKey] || undefined,
    baseUrl: env[platformVariables.baseUrl] || undefined,
    appUrl: env[platformVariables.appUrl] || undefined,
  };
  const apiKey =
    variables.key === undefined
      ? (await resolveSecrets({ apiKey: settings.apiKey }, env, places.home, "platform")).apiKey
      : new Secret(variables.key.trim());
  if (apiKey === undefined) {
    throw new UserError("platform.notConfigured", "the platform's API key is not set", {
      hint: `set ${platformVariables.apiKey}, or "platform": { "apiKey": { "file": PATH } } in the rules file`,
      exitCode: exitCodes.usage,
    });
  }
  const ofFile = [settings.baseUrl, settings.appUrl].flatMap((url) => (url === undefined ? [] : [url]));
  return {
    baseUrl: variables.baseUrl ?? settings.baseUrl,
    // The file's application belongs to the file's API.
    appUrl: variables.appUrl ?? (variables.baseUrl === undefined ? settings.appUrl : undefined),
    apiKey,
    keyIsFor: variables.key === undefined && ofFile.length > 0 ? ofFile : undefined,
    allowHttp: settings.allowHttp,
  };
}
