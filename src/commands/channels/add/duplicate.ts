import { Secret } from "../../../model/privacy/secret.ts";
import type { Channel, Rules } from "../../../rules/rules.ts";
import { resolveSecrets } from "../../../system/secrets.ts";
import { channelOfDraft, type ChannelDraft } from "./draft.ts";
import type { CommandIo } from "../../console/command-io.ts";

/** A channel that says the same to the same place as the draft would; undefined when there is none, or none to be sure of. */
export async function findTwin(
  draft: ChannelDraft,
  { channels }: Rules,
  io: Pick<CommandIo, "env" | "places">,
): Promise<string | undefined> {
  const own = channelOfDraft(draft);
  const wanted = own && (await meant(own, io));
  if (wanted === undefined) return undefined;
  for (const other of Object.values(channels)) {
    if (other.type === own?.type && (await meant(other, io)) === wanted) return other.name;
  }
  return undefined;
}

/** The settings as one text, the secrets looked up; never shown. Programs are not run for this. */
async function meant({ settings }: Channel, { env, places }: Pick<CommandIo, "env" | "places">) {
  try {
    if (hasCommand(settings)) return undefined;
    const resolved = await resolveSecrets(settings, env, places.home);
    return JSON.stringify(revealed(resolved));
  } catch {
    return undefined;
  }
}

function hasCommand(value: unknown): boolean {
  if (typeof value !== "object" || value === null || value instanceof Secret) return false;
  if ("from" in value && value.from === "command") return true;
  return Object.values(value).some(hasCommand);
}

function revealed(value: unknown): unknown {
  if (value instanceof Secret) return value.reveal();
  if (Array.isArray(value)) return value.map(revealed);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => [key, revealed(inner)]);
}
