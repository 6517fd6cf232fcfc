// `status`: programs of which you were notified today, and at which you have not looked. `doctor` names older ones.
import { objectOf, parseJson } from "../../../model/json.ts";
import { layoutOf } from "../../../outbox/layout.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { count } from "../../../console/output/text.ts";
import { readIfThere } from "../../../system/files/read.ts";
import { baselinePath } from "../baseline-file.ts";

/** Which of them are still there, only a look at all files tells: after a day, `status` leaves that to `doctor`. */
const toldMs = 24 * 3_600_000;

/** What a person did, or what became of the program since. */
const settling = ["accepted", "seen", "removed", "gone"];

/** Reads without the baseline's schema, whose library alone would take longer to load than `status` takes. */
export function unseenPrograms({ places, clock }: Pick<CommandIo, "places" | "clock">): string[] {
  const { entries } = objectOf(parseJson(textAt(baselinePath(layoutOf(places.stateDir)))));
  const unseen = Object.values(objectOf(entries)).filter((entry) => {
    const { told, ...known } = objectOf(entry);
    const { at } = objectOf(told);
    const isOpen = settling.every((name) => known[name] === undefined);
    return typeof at === "number" && clock.now() - at < toldMs && isOpen;
  });
  const programs = count(unseen.length, "new or changed program");
  return unseen.length === 0 ? [] : [`your agents have ${programs} at which you have not looked: hookbell hooks --new`];
}

/** Empty where it cannot be read. */
function textAt(path: string): string {
  try {
    return readIfThere(path) ?? "";
  } catch {
    return "";
  }
}
