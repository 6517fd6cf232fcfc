import { exitCodes, type ExitCode } from "../model/errors.ts";
import { parseArguments } from "./arguments.ts";
import { addChannelCommand } from "./channels-add.ts";
import { removeChannelCommand } from "./channels-remove.ts";
import { listChannels } from "./channels-list.ts";
import { channelTypeAsJson, showChannelType } from "./channels-type.ts";
import type { CommandIo } from "./command-io.ts";
import { namedChannelType } from "./named-channel-type.ts";
import { jsonLine } from "./json-line.ts";

/** `hookbell channels`: what there is and what is configured; `channels TYPE`: one type; `channels add` and `remove`: what there is. */
export async function channels(args: string[], io: CommandIo): Promise<ExitCode> {
  if (args[0] === "add") return await addChannelCommand(args.slice(1), io);
  if (args[0] === "remove") return await removeChannelCommand(args.slice(1), io);
  const { values, positionals } = parseArguments(
    args,
    { json: { type: "boolean" }, config: { type: "string" } } as const,
    1,
  );
  const [type] = positionals;
  if (type === undefined) return listChannels(io, values);
  const channelType = namedChannelType(type, ["add", "remove"]);
  io.stdout(values.json ? jsonLine(channelTypeAsJson(channelType)) : showChannelType(channelType, io));
  return exitCodes.done;
}
