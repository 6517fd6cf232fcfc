// Checks a channel beyond its schema: addresses and secrets in the file, and whether it can carry answers.
import { findNodeAtLocation, type Node } from "jsonc-parser";
import type { ChannelType } from "../../channels/channel-type.ts";
import type { Problem } from "../../model/errors.ts";
import { isLoopback } from "../../system/network/destination.ts";
import { literalSecretsIn } from "../literal-secrets.ts";
import { problemAt } from "./problem-at.ts";

const elsewhere = 'write { "env": NAME }, { "file": PATH } or { "command": [PROGRAM, ...] } instead';

export function checkLiterals(
  node: Node,
  path: readonly string[],
  settings: unknown,
  hasAllowHttp: () => boolean,
): Problem[] {
  const plain = findPlainHttp(node, path);
  const problems = plain.length > 0 && hasAllowHttp() ? plain : [];
  for (const secret of literalSecretsIn(settings)) {
    const place = findNodeAtLocation(node, secret);
    if (place === undefined) continue;
    const message = "anyone who can read this file can read this secret";
    problems.push(problemAt(place, [...path, ...secret], { severity: "warning", message, hint: elsewhere }));
  }
  return problems;
}

/** Sending to such an address is refused, so `check` reports it first. */
function findPlainHttp(node: Node, path: readonly string[]): Problem[] {
  if (findNodeAtLocation(node, ["allowHttp"])?.value === true) return [];
  return (node.children ?? []).flatMap(({ children: [key, value] = [] }) => {
    if (value?.type !== "string" || !isPlainHttp(String(value.value))) return [];
    const message = "http:// to another machine: anyone on the way could read and change the messages";
    const hint = 'write https://, or add "allowHttp": true for a receiver in your own network';
    return [problemAt(value, [...path, String(key?.value)], { message, hint })];
  });
}

function isPlainHttp(text: string): boolean {
  if (!/^http:/i.test(text) || !URL.canParse(text)) return false;
  return !isLoopback(new URL(text));
}

/** For a channel with `"answers": true`. */
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
  const hint = answers === undefined ? "docs/ANSWERS.md lists the types that can carry answers" : undefined;
  return message === undefined ? [] : [problemAt(node, [...path, "answers"], { message, hint })];
}
