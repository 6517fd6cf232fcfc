// The mark in a file of hookbell's own, which shows whether the user has changed it.
import type { OwnFile, OwnFileCall } from "../../agents/wiring.ts";
import { sha256 } from "../../system/crypto.ts";

const markLine = /^(?:#|\/\/) hookbell ([0-9a-f]{16}): .*\n/m;

/** The marked line holds a digest of the rest. */
export function ownFileText(file: OwnFile, call: OwnFileCall): string {
  const text = file.text(call);
  if (file.comment === undefined) return text;
  const mark = `${file.comment} hookbell ${digestOf(text)}: made by hookbell init, removed by hookbell uninstall; once you change it, it stays\n`;
  const start = text.startsWith("#!") ? text.indexOf("\n") + 1 : 0;
  return text.slice(0, start) + mark + text.slice(start);
}

/** Changed since or not. */
export function isMarkedOwn(text: string): boolean {
  return markLine.test(text);
}

export function isUntouchedOwn(text: string): boolean {
  const mark = markLine.exec(text);
  return mark !== null && digestOf(text.replace(markLine, "")) === mark[1];
}

function digestOf(text: string): string {
  return sha256(text).slice(0, 16);
}
