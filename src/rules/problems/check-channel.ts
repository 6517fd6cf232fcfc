// Checks a channel beyond its schema: addresses and secrets in the file.
import { findNodeAtLocation, type Node } from "jsonc-parser";
import type { Problem } from "../../model/errors.ts";
import { isLoopback } from "../../system/network/destination.ts";
import { literalSecretsIn } from "../literal-secrets.ts";
import { problemAt } from "./document.ts";

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
