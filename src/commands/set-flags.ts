import { exitCodes, PersonError } from "../model/errors.ts";
import { settingsOf } from "../rules/setting-info.ts";
import { problemsOfDraft, withSetting, type ChannelDraft } from "./channel-draft.ts";

/** `--set key=value`, `--set key.env=NAME`, `--set headers.X-Team=a`: the draft with these settings. */
export function withSetFlags(draft: ChannelDraft, flags: readonly string[]): ChannelDraft {
  let result = draft;
  for (const flag of flags) {
    const [, name = "", value = ""] = /^([^=]+)=(.*)$/s.exec(flag) ?? [];
    if (name === "") {
      throw new PersonError("usage.set", "--set wants KEY=VALUE", {
        hint: `settings of ${draft.channelType.type}: ${settingsOf(draft.channelType)
          .map(({ key }) => key)
          .join(", ")}`,
        exitCode: exitCodes.usage,
      });
    }
    const [key = "", ...inner] = name.split(/\.(.*)/s).filter((part) => part !== "");
    const path = [key, ...inner];
    result = withSetting(result, path, inner[0] === "command" ? asArray(value) : fitting(result, path, value));
  }
  return result;
}

/** The value that a person meant by a text, by what its setting takes: itself, JSON, or an array of it alone. */
export function fitting(draft: ChannelDraft, path: readonly string[], text: string): unknown {
  const parsed = parseJson(text);
  const candidates = [text, ...(parsed === undefined ? [] : [parsed]), [text]];
  const isFine = (value: unknown): boolean =>
    problemsOfDraft(withSetting(draft, path, value)).every(({ key }) => key !== path[0]);
  // With none of them right, what was written is what is complained of.
  return candidates.find(isFine) ?? (typeof parsed === "object" ? parsed : text);
}

function asArray(text: string): unknown {
  const parsed = parseJson(text);
  return Array.isArray(parsed) ? parsed : [text];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
