import type { Node } from "jsonc-parser";

/** The offset in the file of the `index`th UTF-16 unit of a text in quotes, which may have escapes before it. */
export function offsetInText(file: string, node: Node, index: number): number {
  const end = node.offset + node.length - 1;
  let offset = node.offset + 1;
  for (let seen = 0; seen < index && offset < end; seen += 1) {
    if (file[offset] !== "\\") offset += 1;
    else offset += file[offset + 1] === "u" ? 6 : 2;
  }
  return offset;
}
