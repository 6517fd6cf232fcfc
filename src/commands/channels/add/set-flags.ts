import { exitCodes, UserError } from "../../../model/errors.ts";
import { settingsOf } from "../../../rules/setting-info.ts";
import { problemsOfDraft, withSetting, type ChannelDraft } from "./draft.ts";

/** `--set key=value`, `--set key.env=NAME`, `--set headers.X-Team=a`: the draft with these settings. */
export function withSetFlags(draft: ChannelDraft, flags: readonly string[]): ChannelDraft {
  let result = draft;
  const given = new Map<string, string[]>();
  for (const flag of flags) {
    const [, name = "", value = ""] = /^([^=]+)=(.*)$/s.exec(flag) ?? [];
    if (name === "") {
      throw new UserError("usage.set", "--set wants KEY=VALUE", {
        hint: `settings of ${draft.channelType.type}: ${settingsOf(draft.channelType)
          .map(({ key }) => key)
          .join(", ")}`,
        exitCode: exitCodes.usage,
      });
    }
    const [key = "", ...inner] = name.split(/\.(.*)/s).filter((part) => part !== "");
    const path = [key, ...inner];
    const values = [...(given.get(name) ?? []), value];
    given.set(name, values);
    if (values.length > 1) {
      if (!isList(draft, path)) throw twice(name);
      result = withSetting(result, path, values);
      continue;
    }
    const words = wordsProblem(name, value);
    if (words !== undefined) {
      throw new UserError("usage.set", words, {
        hint: `--set '${name}=${JSON.stringify(value.trim().split(/\s+/))}'`,
        exitCode: exitCodes.usage,
      });
    }
    result = withSetting(result, path, inner[0] === "command" ? asArray(value) : fitting(result, path, value));
  }
  return result;
}

/** A program and its arguments in one text, as for a shell, which there is none. */
export function wordsProblem(key: string, text: string): string | undefined {
  const isOneText = key === "argv" && !text.trim().startsWith("[");
  return isOneText && (/\s-/.test(text) || /^[^/\\]*\s/.test(text.trim()))
    ? "argv is an array of the program and its arguments, which no shell takes apart"
    : undefined;
}

function isList({ channelType }: ChannelDraft, [key, ...inner]: readonly string[]): boolean {
  const setting = settingsOf(channelType).find((each) => each.key === key);
  return inner.length === 0 && setting?.form.includes("array") === true;
}

function twice(name: string): UserError {
  return new UserError("usage.set", `--set ${name} is there twice, and it takes one value`, {
    hint: "leave one of them out",
    exitCode: exitCodes.usage,
  });
}

/** The value that a person meant by a text, by what its setting takes: itself, JSON, a list, or an array of it alone. */
export function fitting(draft: ChannelDraft, path: readonly string[], text: string): unknown {
  const parsed = parseJson(text);
  const isListed = isList(draft, path) && path[0] !== "argv" && text.includes(",");
  const list = isListed ? [text.split(",").map((item) => item.trim())] : [];
  const candidates = [text, ...(parsed === undefined ? [] : [parsed]), ...list, [text]];
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
