// Reads settings from text: `--set key=value`, `--set key.env=NAME`, or typed input.
import { usageError } from "../../../model/errors.ts";
import { settingsOf } from "../../../rules/setting-info.ts";
import { type ChannelDraft, problemsOfDraft, withSetting } from "./draft.ts";
import { parseJson } from "../../../model/json.ts";

export function withSetFlags(draft: ChannelDraft, flags: readonly string[]): ChannelDraft {
  let result = draft;
  const given = new Map<string, string[]>();
  for (const flag of flags) {
    const [, name = "", value = ""] = /^([^=]+)=(.*)$/s.exec(flag) ?? [];
    if (name === "") {
      const keys = settingsOf(draft.channelType).map(({ key }) => key);
      throw usageError("set", "--set needs KEY=VALUE", `settings of ${draft.channelType.type}: ${keys.join(", ")}`);
    }
    const path = name.split(/\.(.*)/s).filter((part) => part !== "");
    const values = [...(given.get(name) ?? []), value];
    given.set(name, values);
    const isArray = path.length === 1 && arrayOf(draft, name) !== undefined;
    if (values.length > 1 && !isArray)
      throw usageError("set", `--set ${name} is given twice, but takes one value`, "remove one");
    const words = values.length > 1 ? undefined : wordsProblem(draft, name, value);
    if (words !== undefined) throw usageError("set", words.message, `--set '${name}=${words.array}'`);
    const parsed = path[1] === "command" ? [parseJson(value) ?? value].flat() : fitting(result, path, value);
    result = withSetting(result, path, values.length > 1 ? values : parsed);
  }
  return result;
}

function arrayOf({ channelType }: ChannelDraft, key: string | undefined) {
  return settingsOf(channelType).find((each) => each.key === key)?.array;
}

/** A program and its arguments in one text; no shell splits it. */
export function wordsProblem(
  draft: ChannelDraft,
  key: string,
  text: string,
): { message: string; array: string } | undefined {
  const isOneText = arrayOf(draft, key) === "program" && !text.trim().startsWith("[");
  if (!isOneText || !(/\s-/.test(text) || /^[^/\\]*\s/.test(text.trim()))) return undefined;
  const message = `${key} is an array of the program and its arguments; no shell splits it`;
  return { message, array: JSON.stringify(text.trim().split(/\s+/)) };
}

/** The first reading of the text that the setting accepts. */
export function fitting(draft: ChannelDraft, path: readonly string[], text: string): unknown {
  const parsed = parseJson(text);
  const isList = path.length === 1 && arrayOf(draft, path[0]) === "list" && text.includes(",");
  const readings = [
    text,
    ...(parsed === undefined ? [] : [parsed]),
    ...(isList ? [text.split(",").map((each) => each.trim())] : []),
    [text],
  ];
  const isAccepted = (value: unknown): boolean =>
    problemsOfDraft(withSetting(draft, path, value)).every(({ key }) => key !== path[0]);
  return readings.find(isAccepted) ?? (typeof parsed === "object" ? parsed : text);
}
