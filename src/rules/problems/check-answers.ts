// Checks whether answers can come: of a channel, and of the rules file as a whole.
import { docsUrl } from "../../model/errors.ts";
import { findNodeAtLocation, type Node } from "jsonc-parser";
import type { ChannelType } from "../../channels/channel-type.ts";
import type { Problem } from "../../model/errors.ts";
import { problemAt } from "./document.ts";

/** Checks a channel with `"answers": true`. */
export function checkAnswers(
  channel: Node,
  path: readonly string[],
  { type, answers }: ChannelType,
  settings: unknown,
  content: string | undefined,
): Problem[] {
  const message =
    answers === undefined
      ? `a ${type} channel cannot carry answers`
      : content === "none"
        ? 'a question is shown with the command that it is about, which "content": "none" forbids'
        : answers.problemOf?.(settings);
  const node = findNodeAtLocation(channel, ["answers"]) ?? channel;
  const hint = answers === undefined ? `${docsUrl("reference/ANSWERS.md")} lists the types that can carry answers` : undefined;
  return message === undefined ? [] : [problemAt(node, [...path, "answers"], { message, hint })];
}

/** Answers need both: "answers" in the file, and a channel that carries them, or else the page or another machine of the fleet. */
export function checkAnswersUse(
  root: Node,
  channels: readonly { name: string; answers: boolean }[],
  isElsewhere: boolean,
): Problem[] {
  const node = findNodeAtLocation(root, ["answers"]);
  const answering = channels.filter(({ answers }) => answers);
  if (node !== undefined) {
    const message = 'no channel has "answers": true, so questions wait only for the page of hookbell serve';
    const hint = `${docsUrl("reference/PAGE.md")} says how a browser may answer`;
    return answering.length > 0 || isElsewhere
      ? []
      : [problemAt(node, ["answers"], { message, hint, severity: "warning" })];
  }
  return answering.flatMap(({ name }) => {
    const path = ["channels", name, "answers"];
    const message = 'this does nothing, because the rules file has no "answers"';
    const hint = `add "answers": {} beside "channels"; ${docsUrl("reference/ANSWERS.md")}`;
    const place = findNodeAtLocation(root, path);
    return place === undefined ? [] : [problemAt(place, path, { message, hint, severity: "warning" })];
  });
}
