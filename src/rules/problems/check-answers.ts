// Checks whether a channel with "answers": true can carry answers.
import { findNodeAtLocation, type Node } from "jsonc-parser";
import type { ChannelType } from "../../channels/channel-type.ts";
import type { Problem } from "../../model/errors.ts";

export function checkAnswers(
  channel: Node,
  path: readonly string[],
  { type, answers }: ChannelType,
  settings: unknown,
  content: string | undefined,
): Problem[] {
  const problem =
    answers === undefined
      ? `no answer can come back through a ${type} channel`
      : content === "none"
        ? 'a question is shown with the command that it is about, which "content": "none" forbids'
        : answers.problemOf?.(settings);
  const node = findNodeAtLocation(channel, ["answers"]) ?? channel;
  return problem === undefined
    ? []
    : [{ path: [...path, "answers"].join("."), message: problem, offset: node.offset, length: node.length }];
}
