// Creates the platform's client from the environment or the rules file.
import { exitCodes, UserError } from "../../model/errors.ts";
import { Secret } from "../../model/privacy/secret.ts";
import { createPlatformClient, type PlatformClient } from "../../usage/client/client.ts";
import type { PlatformAccess } from "../../usage/client/request.ts";
import { platformVariables, type PlatformSettings } from "../../rules/schema/platform-settings.ts";
import { createSendHttp } from "../../system/network/send.ts";
import { resolveSecrets } from "../../system/secrets.ts";
import type { CommandIo } from "../console/command-io.ts";
import { usableRules } from "../pipeline/load-rules.ts";
import { viewDispatcher } from "../pipeline/open-dispatcher.ts";

/** Throws 64 if no key is set. The address is checked only when an operation needs it. */
export async function openPlatformClient(
  io: CommandIo,
  rulesFile: string | undefined,
): Promise<{ client: PlatformClient; settings: PlatformSettings }> {
  const settings = await readSettings(io, rulesFile);
  return { client: await createClient(io, settings), settings };
}

/** Undefined if no part of a platform is configured. */
export async function findPlatformClient(
  io: CommandIo,
  rulesFile: string | undefined,
): Promise<PlatformClient | undefined> {
  const settings = await readSettings(io, rulesFile);
  const { baseUrl, apiKey } = platformVariables;
  const isSet = settings.baseUrl ?? settings.apiKey ?? (io.env[baseUrl] || io.env[apiKey]);
  return isSet ? await createClient(io, settings) : undefined;
}

async function readSettings(io: CommandIo, rulesFile: string | undefined): Promise<PlatformSettings> {
  return usableRules(await viewDispatcher(io, rulesFile), rulesFile, io).rules.platform ?? {};
}

/** The same for known settings. */
export async function createClient(io: CommandIo, settings: PlatformSettings): Promise<PlatformClient> {
  const { clock, random, env } = io;
  const tools = { http: createSendHttp(env), clock, random, signal: io.untilStopped() };
  return createPlatformClient(await readAccess(settings, io), tools);
}

/** An empty variable counts as unset. */
async function readAccess(settings: PlatformSettings, { env, places }: CommandIo): Promise<PlatformAccess> {
  const key = env[platformVariables.apiKey] || undefined;
  const apiKey =
    key === undefined
      ? (await resolveSecrets({ apiKey: settings.apiKey }, env, places.home, "platform")).apiKey
      : new Secret(key.trim());
  if (apiKey === undefined) {
    throw new UserError("platform.notConfigured", "the platform's API key is not set", {
      hint: `set ${platformVariables.apiKey}, or "platform": { "apiKey": { "file": PATH } } in the rules file`,
      exitCode: exitCodes.usage,
    });
  }
  return {
    baseUrl: env[platformVariables.baseUrl] || settings.baseUrl,
    appUrl: env[platformVariables.appUrl] || settings.appUrl,
    apiKey,
    allowHttp: settings.allowHttp,
  };
}
