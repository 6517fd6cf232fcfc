// Prints a change to a file as a unified diff.
import { type DiffLine, unifiedDiff } from "../../jsonc/diff.ts";
import type { CommandIo } from "../command-io.ts";
import { paint } from "./text.ts";

/** An undefined side means that the file does not exist. `isWhole` keeps long lines. */
export function showDiff(
  io: Pick<CommandIo, "stdout" | "isColor">,
  path: string,
  before: string | undefined,
  after: string | undefined,
  isWhole = false,
): void {
  const lines = unifiedDiff(path, before, after, isWhole).map(({ kind, text }) =>
    kind === "same" ? text : paint(io, styles[kind], text),
  );
  io.stdout(`${lines.join("\n")}\n`);
}

const styles = { file: "bold", hunk: "cyan", added: "green", removed: "red" } as const satisfies Partial<
  Record<DiffLine["kind"], string>
>;
