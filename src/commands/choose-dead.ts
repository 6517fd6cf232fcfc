import { exitCodes, PersonError } from "../model/errors.ts";
import { listDeliveries } from "../outbox/deliveries.ts";
import type { Layout } from "../outbox/layout.ts";

/** The dead letters that the words name: ids (or unmistakable starts of them), or all. */
export function chooseDead(layout: Layout, words: readonly string[], isAll: boolean, verb: string): string[] {
  const files = listDeliveries(layout, "dead");
  if (isAll) return files;
  if (words.length === 0) {
    throw new PersonError(
      "usage.id",
      `${verb} which? There ${files.length === 1 ? "is 1 dead letter" : `are ${files.length} dead letters`}`,
      {
        hint:
          files.length === 0
            ? "nothing to do"
            : `hookbell ${verb} --all, or an id: ${files.slice(-3).map(idOf).join(", ")}`,
        exitCode: exitCodes.usage,
      },
    );
  }
  return words.map((word) => {
    const found = files.filter((file) => idOf(file).startsWith(word) || idOf(file).startsWith(`msg_${word}`));
    const [only] = found;
    if (only !== undefined && found.length === 1) return only;
    throw new PersonError(
      "dead.unknown",
      found.length === 0 ? `there is no dead letter ${word}` : `${word} names ${found.length} dead letters`,
      {
        hint: "hookbell log shows what gave up; hookbell status counts it",
        exitCode: exitCodes.badInput,
      },
    );
  });
}

function idOf(file: string): string {
  return file.replace(/^.*-(msg_[^.]*)\.json$/, "$1");
}
