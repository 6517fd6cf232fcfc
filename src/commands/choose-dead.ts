import { exitCodes, PersonError } from "../model/errors.ts";
import { cut, printableLine } from "../model/text.ts";
import { deliveryIdIn, listDeliveries, readDelivery } from "../outbox/deliveries.ts";
import type { Layout } from "../outbox/layout.ts";
import { count } from "./count.ts";

/** So many dead letters are shown to choose from, and so much of each reason. */
const mostShown = 5;
const longestReason = 60;

/** The dead letters that the words name: ids (or unmistakable starts of them), or all. */
export function chooseDead(layout: Layout, words: readonly string[], isAll: boolean, verb: string): string[] {
  if (isAll && words.length > 0) throw usage(`${verb} all, or ${words.join(", ")}?`, "either --all or ids, not both");
  const files = listDeliveries(layout, "dead");
  if (isAll) return files;
  if (words.length === 0) {
    const many = files.length === 1 ? "is 1 dead letter" : `are ${files.length} dead letters`;
    const hint =
      files.length === 0
        ? "nothing to do"
        : [`hookbell ${verb} --all, or an id:`, ...files.slice(-mostShown).map((file) => show(layout, file))];
    throw usage(`${verb} which? There ${many}`, typeof hint === "string" ? hint : hint.join("\n"));
  }
  return [...new Set(words)].map((word) => {
    const found = word === "" ? [] : files.filter((file) => isNamed(file, word));
    const [only] = found;
    if (only !== undefined && found.length === 1) return only;
    const shown = (found.length === 0 ? files : found).slice(-mostShown).map((file) => show(layout, file));
    throw new PersonError(
      "dead.unknown",
      found.length === 0
        ? `there is no dead letter ${JSON.stringify(word)}`
        : `${JSON.stringify(word)} names ${count(found.length, "dead letter")}`,
      { hint: shown.length === 0 ? "there are none" : shown.join("\n"), exitCode: exitCodes.badInput },
    );
  });
}

function isNamed(file: string, word: string): boolean {
  const id = deliveryIdIn(file);
  return id.startsWith(word) || id.startsWith(`msg_${word}`);
}

/** `msg_…  channel: reason, detail`. */
function show(layout: Layout, file: string): string {
  const reading = readDelivery(layout, "dead", file);
  if (reading.status !== "read") return `${deliveryIdIn(file)}  cannot be read`;
  const { channel, lastFailure } = reading.delivery;
  const why = lastFailure === undefined ? "" : `: ${lastFailure.reason}, ${lastFailure.detail}`;
  return `${deliveryIdIn(file)}  ${cut(printableLine(`${channel}${why}`), longestReason)}`;
}

function usage(message: string, hint: string): PersonError {
  return new PersonError("usage.id", message, { hint, exitCode: exitCodes.usage });
}
