// `hookbell channels TYPE`: prints what the type is, its settings, and an example.
import type { ChannelType } from "../../channels/channel-type.ts";
import { formatDuration } from "../../model/figures/duration.ts";
import { alternativesOf, type SettingInfo, settingsOf } from "../../rules/setting-info.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { paint, wrap } from "../../console/output/text.ts";
import { defaultName, secretFileName } from "./names.ts";

const indent = "      ";

export function showChannelType(channelType: ChannelType, io: Pick<CommandIo, "isColor" | "columns">): string {
  const { type, summary, docs, content, expiresAfterMs } = channelType;
  const settings = settingsOf(channelType);
  const groups: [string, SettingInfo[]][] = [
    ["Required", settings.filter(({ isRequired }) => isRequired)],
    ["Optional", settings.filter(({ isRequired, isCommon }) => !isRequired && !isCommon)],
    ["Optional for every channel", settings.filter(({ isCommon }) => isCommon)],
  ];
  const blocks = groups
    .filter(([, group]) => group.length > 0)
    .map(([title, group]) => `${paint(io, "bold", title)}\n${group.map((each) => showSetting(each, io)).join("")}`);
  const wait = `A message waits at most ${formatDuration(expiresAfterMs)}. It contains ${passedOn[content]}, unless "content" says otherwise.`;
  const needs = requirements(channelType);
  return [
    `${paint(io, "bold", type)}  ${summary}`,
    docs,
    "",
    wrap(wait, io.columns),
    "",
    ...(needs === "" ? [] : [wrap(`It needs ${needs}.`, io.columns), ""]),
    blocks.join("\n"),
    ...(settings.some(({ hasSources }) => hasSources) ? [wrap(sourceForms, io.columns), ""] : []),
    paint(io, "bold", "In the rules file"),
    `  ${JSON.stringify(defaultName(type))}: ${example(channelType, settings)}`,
    "",
    `To add it: hookbell channels add ${type}`,
    "",
  ].join("\n");
}

const sourceForms =
  'Where to get it: { "env": NAME }, { "file": PATH } or { "command": [PROGRAM, …] } instead of the text. It is looked up when a message is sent.';

export const passedOn = {
  none: "none of the agent's words",
  summary: "a summary of the agent's words",
  full: "all of the agent's words",
};

/** Settings required beyond the schema's: `url, or token and channel`. */
export function requirements(channelType: ChannelType): string {
  return alternativesOf(channelType)
    .map(({ required }) => required.join(" and "))
    .join(", or ");
}

function showSetting(setting: SettingInfo, io: Pick<CommandIo, "isColor" | "columns">): string {
  const usual = setting.default === undefined ? "" : ` (default: ${JSON.stringify(setting.default)})`;
  const meaning = wrap(`${setting.meaning}${usual}`, Math.max(io.columns - indent.length, 30), indent);
  return `  ${paint(io, "cyan", setting.key)}  ${paint(io, "dim", setting.form)}\n${indent}${meaning}\n`;
}

/** The required settings, with each secret in a file. */
function example(channelType: ChannelType, settings: readonly SettingInfo[]): string {
  const { type } = channelType;
  const first = alternativesOf(channelType)[0]?.required ?? [];
  const needed = settings.filter(({ key, isRequired }) => isRequired || first.includes(key));
  const valueOf = ({ key, isSecret, array, form }: SettingInfo): string => {
    if (isSecret) return `{ "file": "~/.config/hookbell/${secretFileName(defaultName(type), key)}" }`;
    if (array === "program") return '["~/bin/notify", "--from", "hookbell"]';
    return array === "list" && !form.includes("text") ? "[…]" : '"…"';
  };
  const members = needed.map((setting) => `${JSON.stringify(setting.key)}: ${valueOf(setting)}`);
  return `{ ${[`"type": ${JSON.stringify(type)}`, ...members].join(", ")} }`;
}

export function channelTypeAsJson(channelType: ChannelType): object {
  const { type, summary, docs, content, expiresAfterMs } = channelType;
  return {
    type,
    summary,
    docs,
    content,
    expiresAfterMs,
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
