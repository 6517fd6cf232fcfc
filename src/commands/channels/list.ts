import { channelTypes } from "../../channels/all.ts";
import type { ChannelType } from "../../channels/channel-type.ts";
import { exitCodes, type ExitCode } from "../../model/errors.ts";
import { printableLine } from "../../model/text.ts";
import { listEndpoints, type Endpoint } from "../../outbox/endpoints.ts";
import type { Rules } from "../../rules/rules.ts";
import { settingsOf } from "../../rules/setting-info.ts";
import { problemsOfDraft } from "./add/draft.ts";
import { channelTypeAsJson } from "./show-type.ts";
import { jsonLine, paint, wrap } from "../console/text.ts";
import type { CommandIo } from "../console/command-io.ts";
import { requireRulesFile, usableRules } from "../pipeline/load-rules.ts";
import { viewDispatcher } from "../pipeline/open-dispatcher.ts";

/** A channel of the rules, as a person asks for it: what it is, who notifies it, whether it is switched off. */
export interface ConfiguredChannel {
  name: string;
  type: string;
  /** Names of the rules that notify it. */
  rules: string[];
  switchedOff?: string;
}

/** The channels of the rules, then every type there is. */
export function listChannels(io: CommandIo, values: { json?: boolean; config?: string }): ExitCode {
  requireRulesFile(values.config);
  const dispatcher = viewDispatcher(io, values.config);
  const { rules, origin } = usableRules(dispatcher, values.config, io);
  const configured = describeConfigured(rules, listEndpoints(dispatcher.layout));
  if (values.json) {
    io.stdout(jsonLine({ channels: configured, types: channelTypes.map(channelTypeAsJson) }));
    return exitCodes.done;
  }
  const where = origin === "builtIn" ? "of the built-in rules" : `of ${values.config ?? io.places.rulesFile}`;
  io.stdout(`${paint(io, "bold", `Your channels, ${where}`)}\n${showConfigured(configured, io)}\n`);
  io.stdout(`${paint(io, "bold", "Types there are")}\n${showTypes(channelTypes, io)}\n`);
  io.stdout("hookbell channels NAME or TYPE says more; hookbell channels add TYPE adds one.\n");
  return exitCodes.done;
}

/** What `channels` says of each channel of the rules. */
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

function showConfigured(channels: readonly ConfiguredChannel[], io: CommandIo): string {
  if (channels.length === 0) return "  none\n";
  const nameWidth = widest(channels.map(({ name }) => name));
  const typeWidth = widest(channels.map(({ type }) => type));
  return channels
    .map(({ name, type, rules, switchedOff }) => {
      const notified = rules.length === 0 ? "no rule notifies it" : `notified by ${rules.join(", ")}`;
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
      const own = settingsOf(channelType).filter(({ isCommon }) => !isCommon);
      const needed = own.filter(({ isRequired }) => isRequired).map(({ key }) => key);
      const others = own.filter(({ isRequired }) => !isRequired).map(({ key }) => key);
      // What some of the settings have to do with each other no list of names can say.
      const together = problemsOfDraft({ channelType, name: channelType.type, settings: {} })
        .filter(({ key }) => key === undefined)
        .map(({ message }) => message);
      const needs = needed.length === 0 ? together : [`needs ${needed.join(", ")}`];
      const may = others.length === 0 ? [] : [`may have ${others.join(", ")}`];
      const settings = [...needs, ...may].join("; ");
      const lines = [below(channelType.summary, indent.length, io)];
      if (settings !== "") lines.push(paint(io, "dim", below(settings, indent.length, io)));
      return `  ${paint(io, "bold", channelType.type)}${" ".repeat(width - channelType.type.length)}  ${lines.join(`\n${indent}`)}\n`;
    })
    .join("");
}

/** Text behind a label, its further lines below its first. */
function below(text: string, indent: number, { columns }: Pick<CommandIo, "columns">): string {
  return wrap(text, Math.max(columns - indent, 30), " ".repeat(indent));
}

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => text.length));
}
