// `hookbell channels`: lists channels and types, or shows one.
import { channelTypeNames } from "../../channels/index.ts";
import { exitCodes, type ExitCode, usageError } from "../../model/errors.ts";
import { listEndpoints } from "../../outbox/endpoints.ts";
import type { Channel } from "../../rules/rules.ts";
import { parseArguments } from "../../console/arguments.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { jsonLine } from "../../console/output/text.ts";
import { setUpCommands } from "../help/set-up.ts";
import { requireRulesFile, usableRules } from "../pipeline/load-rules.ts";
import { viewDispatcher } from "../../daemon/open-dispatcher.ts";
import { describeConfigured, listChannels, type ConfiguredChannel } from "./list.ts";
import { namedChannelType } from "./names.ts";
import { settingsWithoutSecrets, showChannel } from "./show-channel.ts";
import { channelTypeAsJson, showChannelType } from "./show-type.ts";

/** Names that other programs use for `add` and `remove`. */
const otherNames: Record<string, string> = { new: "add", create: "add", rm: "remove", delete: "remove", del: "remove" };

export async function channels(args: string[], io: CommandIo): Promise<ExitCode> {
  const [first = ""] = args;
  const meant = Object.hasOwn(otherNames, first) ? otherNames[first] : undefined;
  if (meant !== undefined) {
    throw usageError("channels", `there is no command "channels ${first}"`, `did you mean ${JSON.stringify(meant)}?`);
  }
  const { flags } = setUpCommands.channels;
  const { values, positionals } = parseArguments(args, flags);
  const [word] = positionals;
  if (word === undefined) return await listChannels(io, values);
  const own = channelTypeNames.includes(word) ? undefined : await findOwn(word, io, values.config);
  const channelType = own === undefined ? await namedChannelType(word, ["add", "remove", "pair"]) : undefined;
  // The flags are checked after the first word, so that a typo in that is reported first.
  parseArguments(args, flags, 1);
  if (own !== undefined) {
    const settings = settingsWithoutSecrets(own.channel);
    io.stdout(values.json ? jsonLine({ ...own.configured, settings }) : showChannel(own.channel, own.configured, io));
  }
  if (channelType !== undefined) {
    io.stdout(values.json ? jsonLine(channelTypeAsJson(channelType)) : showChannelType(channelType, io));
  }
  return exitCodes.done;
}

async function findOwn(
  name: string,
  io: CommandIo,
  config: string | undefined,
): Promise<{ channel: Channel; configured: ConfiguredChannel } | undefined> {
  requireRulesFile(config);
  const dispatcher = await viewDispatcher(io, config);
  const { rules } = usableRules(dispatcher, config, io);
  const channel = Object.hasOwn(rules.channels, name) ? rules.channels[name] : undefined;
  const configured = describeConfigured(rules, listEndpoints(dispatcher.layout)).find((each) => each.name === name);
  return channel === undefined || configured === undefined ? undefined : { channel, configured };
}
