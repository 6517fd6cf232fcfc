import { findNodeAtLocation, type Node } from "jsonc-parser";
import type { Problem } from "../../model/problem.ts";
import { isLoopback } from "../../system/network/destination.ts";
import { literalSecretsIn } from "../literal-secrets.ts";

const elsewhere = 'write { "env": NAME }, { "file": PATH } or { "command": [PROGRAM, ...] } in its place';

/** What is wrong with the texts of a channel that reads well by itself: addresses that it would never use, secrets. */
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
    const message = "a secret stands here as it is, for everybody who sees this file";
    problems.push({ ...placeOf(place, [...path, ...secret]), severity: "warning", message, hint: elsewhere });
  }
  return problems;
}

/** `http://` to another machine is refused when sending; so that this is not learned from a lost message. */
function findPlainHttp(node: Node, path: readonly string[]): Problem[] {
  if (findNodeAtLocation(node, ["allowHttp"])?.value === true) return [];
  return (node.children ?? []).flatMap(({ children: [key, value] = [] }) => {
    if (value?.type !== "string" || !isPlainHttp(String(value.value))) return [];
    const message = "http:// to another machine: everybody on the way could read and change the message";
    const hint = 'write https://, or "allowHttp": true beside it for a receiver in your own network';
    return [{ ...placeOf(value, [...path, String(key?.value)]), message, hint }];
  });
}

function isPlainHttp(text: string): boolean {
  if (!/^http:/i.test(text) || !URL.canParse(text)) return false;
  return !isLoopback(new URL(text));
}

function placeOf(node: Node, path: readonly string[]): { path: string; offset: number; length: number } {
  return { path: path.join("."), offset: node.offset, length: node.length };
}
