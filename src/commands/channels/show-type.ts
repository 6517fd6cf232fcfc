import type { ChannelType } from "../../channels/channel-type.ts";
import { formatDuration } from "../../model/duration.ts";
import { settingsOf, type SettingInfo } from "../../rules/setting-info.ts";
import { problemsOfDraft } from "./add/draft.ts";
import { paint, wrap } from "../console/text.ts";
import type { CommandIo } from "../console/command-io.ts";
import { defaultName, secretFileName } from "./names.ts";

const indent = "      ";

/** `hookbell channels TYPE`: what it is, its settings, how it stands in a rules file. */
export function showChannelType(channelType: ChannelType, io: Pick<CommandIo, "isColor" | "columns">): string {
  const settings = settingsOf(channelType);
  const empty = { channelType, name: channelType.type, settings: {} };
  const together = problemsOfDraft(empty).filter(({ key }) => key === undefined);
  const groups: [string, SettingInfo[]][] = [
    ["It needs", settings.filter(({ isRequired }) => isRequired)],
    ["It may have", settings.filter(({ isRequired, isCommon }) => !isRequired && !isCommon)],
    ["As every channel", settings.filter(({ isCommon }) => isCommon)],
  ];
  const blocks = groups
    .filter(([, group]) => group.length > 0)
    .map(([title, group]) => `${paint(io, "bold", title)}\n${group.map((each) => showSetting(each, io)).join("")}`);
  const wait = `A message waits for at most ${formatDuration(channelType.expiresAfterMs)}; it passes on ${passedOn[channelType.content]} unless "content" says otherwise.`;
  return [
    `${paint(io, "bold", channelType.type)}  ${channelType.summary}`,
    channelType.docs,
    "",
    wrap(wait, io.columns),
    "",
    ...together.flatMap(({ message }) => [wrap(`It ${message}.`, io.columns), ""]),
    blocks.join("\n"),
    ...(settings.some(({ hasSources }) => hasSources) ? [wrap(sourceForms, io.columns), ""] : []),
    paint(io, "bold", "In a rules file"),
    `  ${JSON.stringify(defaultName(channelType.type))}: ${example(channelType.type, settings, together.length > 0)}`,
    "",
    `hookbell channels add ${channelType.type} asks for all this and writes it.`,
    "",
  ].join("\n");
}

/** Said once for all the settings of that form. */
const sourceForms =
  'Where to get it: { "env": NAME }, { "file": PATH } or { "command": [PROGRAM, …] } in place of the text; it is looked up when sending.';

export const passedOn = {
  none: "none of the agent's words",
  summary: "a summary of the agent's words",
  full: "all of the agent's words",
};

function showSetting(setting: SettingInfo, io: Pick<CommandIo, "isColor" | "columns">): string {
  const without = setting.default === undefined ? "" : `; ${JSON.stringify(setting.default)} unless said otherwise`;
  const meaning = wrap(`${setting.meaning}${without}`, Math.max(io.columns - indent.length, 30), indent);
  return `  ${paint(io, "cyan", setting.key)}  ${paint(io, "dim", setting.form)}\n${indent}${meaning}\n`;
}

/** The settings that it needs, secrets out of the file. */
function example(type: string, settings: readonly SettingInfo[], isFirstNeeded: boolean): string {
  const needed = settings.filter(({ isRequired }, index) => isRequired || (isFirstNeeded && index === 0));
  const members = needed.map(({ key, isSecret, form }) => {
    const file = `~/.config/hookbell/${secretFileName(defaultName(type), key)}`;
    return `${JSON.stringify(key)}: ${isSecret ? `{ "file": ${JSON.stringify(file)} }` : key === "argv" ? '["~/bin/notify", "--from", "hookbell"]' : form.includes("array") && !form.includes("text") ? "[…]" : '"…"'}`;
  });
  return `{ ${[`"type": ${JSON.stringify(type)}`, ...members].join(", ")} }`;
}

/** What `--json` prints of a type. */
export function channelTypeAsJson(channelType: ChannelType): object {
  return {
    type: channelType.type,
    summary: channelType.summary,
    docs: channelType.docs,
    content: channelType.content,
    expiresAfterMs: channelType.expiresAfterMs,
    settings: settingsOf(channelType).map(({ key, meaning, form, isRequired, isSecret, isCommon, ...rest }) => ({
      name: key,
      required: isRequired,
      secret: isSecret,
      common: isCommon,
      meaning,
      form,
      ...(rest.default === undefined ? {} : { default: rest.default }),
    })),
  };
}
