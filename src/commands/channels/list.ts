// `hookbell channels`: prints the configured channels and all available types.
import type { ChannelType } from "../../channels/channel-type.ts";
import { loadChannelTypes } from "../../channels/index.ts";
import { exitCodes, type ExitCode } from "../../model/errors.ts";
import { printableLine } from "../../model/text.ts";
import { type Endpoint, listEndpoints } from "../../outbox/endpoints.ts";
import type { Rules } from "../../rules/rules.ts";
import { settingsOf } from "../../rules/setting-info.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { jsonLine, paint, wrap } from "../../console/output/text.ts";
import { requireRulesFile, usableRules } from "../pipeline/load-rules.ts";
import { viewDispatcher } from "../../daemon/open-dispatcher.ts";
import { channelTypeAsJson, requirements } from "./show-type.ts";

export interface ConfiguredChannel {
  name: string;
  type: string;
  /** Names of the rules that notify this channel. */
  rules: string[];
  switchedOff?: string;
}

export async function listChannels(io: CommandIo, values: { json?: boolean; config?: string }): Promise<ExitCode> {
  requireRulesFile(values.config);
  const dispatcher = await viewDispatcher(io, values.config);
  const { rules, origin } = usableRules(dispatcher, values.config, io);
  const configured = describeConfigured(rules, listEndpoints(dispatcher.layout));
  const types = await loadChannelTypes();
  if (values.json) {
    io.stdout(jsonLine({ channels: configured, types: types.map(channelTypeAsJson) }));
    return exitCodes.done;
  }
  const where = origin === "builtIn" ? "built-in rules" : (values.config ?? io.places.rulesFile);
  io.stdout(`${paint(io, "bold", `Your channels (${where})`)}\n${showConfigured(configured, io)}\n`);
  io.stdout(`${paint(io, "bold", "Available types")}\n${showTypes(types, io)}\n`);
  io.stdout(`${wrap("Details: hookbell channels NAME or TYPE. To add one: hookbell channels add TYPE", io.columns)}\n`);
  return exitCodes.done;
}

export function describeConfigured(rules: Rules, endpoints: readonly Endpoint[]): ConfiguredChannel[] {
  return Object.values(rules.channels).map(({ name, type, fingerprint }) => {
    const { switchedOff } = endpoints.find(({ channel }) => channel === name) ?? {};
    const isOff = switchedOff !== undefined && switchedOff.fingerprint === fingerprint;
    return {
      name,
      type,
      rules: rules.rules.filter(({ notify }) => notify.includes(name)).map((rule) => rule.name),
      ...(isOff ? { switchedOff: printableLine(`${switchedOff.reason}: ${switchedOff.detail}`) } : {}),
    };
  });
}

/** Names of rules may have blanks and commas. */
export function notifiedBy(rules: readonly string[]): string {
  if (rules.length === 0) return "no rule notifies it";
  return `notified by ${rules.map((rule) => printableLine(JSON.stringify(rule))).join(", ")}`;
}

function showConfigured(channels: readonly ConfiguredChannel[], io: CommandIo): string {
  if (channels.length === 0) return "  none\n";
  const nameWidth = widest(channels.map(({ name }) => name));
  const typeWidth = widest(channels.map(({ type }) => type));
  return channels
    .map(({ name, type, rules, switchedOff }) => {
      const notified = notifiedBy(rules);
      const off = switchedOff === undefined ? "" : `; ${paint(io, "red", "switched off")}: ${switchedOff}`;
      const lead = `  ${name.padEnd(nameWidth)}  ${type.padEnd(typeWidth)}  `;
      return `${lead}${below(`${notified}${off}`, lead.length, io)}\n`;
    })
    .join("");
}

function showTypes(types: readonly ChannelType[], io: CommandIo): string {
  const width = widest(types.map(({ type }) => type));
  const indent = " ".repeat(width + 4);
  return types
    .map((channelType) => {
      const { type, summary } = channelType;
      const own = settingsOf(channelType).filter(({ isCommon }) => !isCommon);
      const required = own.filter(({ isRequired }) => isRequired).map(({ key }) => key);
      const needs = required.length === 0 ? requirements(channelType) : required.join(", ");
      const others = own.filter(({ isRequired }) => !isRequired).map(({ key }) => key);
      const settings = [
        needs === "" ? "" : `needs ${needs}`,
        others.length === 0 ? "" : `optional: ${others.join(", ")}`,
      ];
      const line = settings.filter((each) => each !== "").join("; ");
      const lines = [below(summary, indent.length, io)];
      if (line !== "") lines.push(paint(io, "dim", below(line, indent.length, io)));
      return `  ${paint(io, "bold", type)}${" ".repeat(width - type.length)}  ${lines.join(`\n${indent}`)}\n`;
    })
    .join("");
}

/** Further lines are indented like the first. */
function below(text: string, indent: number, { columns }: Pick<CommandIo, "columns">): string {
  return wrap(text, Math.max(columns - indent, 30), " ".repeat(indent));
}

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => text.length));
}
