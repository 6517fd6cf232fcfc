import { findChannelType } from "../../channels/all.ts";
import { exitCodes, UserError, type ExitCode } from "../../model/errors.ts";
import { listEndpoints } from "../../outbox/endpoints.ts";
import type { Channel } from "../../rules/rules.ts";
import { parseArguments } from "../console/arguments.ts";
import { setUpCommands } from "../help/set-up.ts";
import { addChannelCommand } from "./add/add.ts";
import { removeChannelCommand } from "./remove.ts";
import { describeConfigured, listChannels, type ConfiguredChannel } from "./list.ts";
import { channelTypeAsJson, showChannelType } from "./show-type.ts";
import type { CommandIo } from "../console/command-io.ts";
import { requireRulesFile, usableRules } from "../pipeline/load-rules.ts";
import { namedChannelType } from "./names.ts";
import { jsonLine } from "../console/text.ts";
import { settingsWithoutSecrets, showChannel } from "./show-channel.ts";
import { viewDispatcher } from "../pipeline/open-dispatcher.ts";

/** What other programs call `add` and `remove`. */
const otherNames: Record<string, string> = { new: "add", create: "add", rm: "remove", delete: "remove", del: "remove" };

/** `hookbell channels`: what there is and what is configured; `channels TYPE` or `NAME`: one of them; `channels add` and `remove`. */
export async function channels(args: string[], io: CommandIo): Promise<ExitCode> {
  const [first = ""] = args;
  if (first === "add") return await addChannelCommand(args.slice(1), io);
  if (first === "remove") return await removeChannelCommand(args.slice(1), io);
  const meant = Object.hasOwn(otherNames, first) ? otherNames[first] : undefined;
  if (meant !== undefined) {
    throw new UserError("usage.channels", `there is no hookbell channels ${first}`, {
      hint: `did you mean ${JSON.stringify(meant)}?`,
      exitCode: exitCodes.usage,
    });
  }
  const { flags } = setUpCommands.channels;
  const { values, positionals } = parseArguments(args, flags);
  const [word] = positionals;
  if (word === undefined) return listChannels(io, values);
  const own = findChannelType(word) === undefined ? findOwn(word, io, values.config) : undefined;
  const channelType = own === undefined ? namedChannelType(word, ["add", "remove"]) : undefined;
  // Now that the first word is known to be right, a second one is one too many.
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

/** The channel of the rules that a person means who names no type. */
function findOwn(
  name: string,
  io: CommandIo,
  config: string | undefined,
): { channel: Channel; configured: ConfiguredChannel } | undefined {
  requireRulesFile(config);
  const dispatcher = viewDispatcher(io, config);
  const { rules } = usableRules(dispatcher, config, io);
  const channel = Object.hasOwn(rules.channels, name) ? rules.channels[name] : undefined;
  const configured = describeConfigured(rules, listEndpoints(dispatcher.layout)).find((each) => each.name === name);
  return channel === undefined || configured === undefined ? undefined : { channel, configured };
}
