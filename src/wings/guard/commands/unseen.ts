// `status`: programs of which you were notified today, and at which you have not looked; and hooks of hookbell's that are gone. `doctor`
// names older ones.
import { objectOf, objectsOf, parseJson } from "../../../model/json.ts";
import { printableLine } from "../../../model/text.ts";
import { recordPath } from "../../../own-files/install-record.ts";
import { layoutOf } from "../../../outbox/layout.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { count } from "../../../console/output/text.ts";
import { sha256 } from "../../../system/crypto.ts";
import { readIfThere } from "../../../system/files/read.ts";
import { baselinePath } from "../baseline-file.ts";

/** Which of them are still there, only a look at all files tells: after a day, `status` leaves that to `doctor`. */
const toldMs = 24 * 3_600_000;

/** What a person did, or what became of the program since. */
const settling = ["accepted", "seen", "removed", "gone"];

/** Reads without the baseline's schema, whose library alone would take longer to load than `status` takes. */
export function unseenPrograms({ places, clock }: Pick<CommandIo, "places" | "clock">): string[] {
  const { entries, own } = objectOf(parseJson(textAt(baselinePath(layoutOf(places.stateDir)))));
  const unseen = Object.values(objectOf(entries)).filter((entry) => {
    const { told, ...known } = objectOf(entry);
    const { at } = objectOf(told);
    const isOpen = settling.every((name) => known[name] === undefined);
    return typeof at === "number" && clock.now() - at < toldMs && isOpen;
  });
  const programs = count(unseen.length, "new or changed program");
  return [
    ...Object.entries(objectOf(own)).flatMap(([path, file]) => {
      const { lostAt, written } = objectOf(file);
      const isRecent = typeof lostAt === "number" && clock.now() - lostAt < toldMs;
      if (!isRecent || isWrittenAgain(path, written, places.stateDir)) return [];
      return [`another program removed hookbell's hooks from ${printableLine(path)}: hookbell init puts them back`];
    }),
    ...(unseen.length === 0 ? [] : [`your agents have ${programs} at which you have not looked: hookbell hooks --new`]),
  ];
}

/** A command of hookbell's wrote the file since, or took it off the record. */
function isWrittenAgain(path: string, written: unknown, stateDir: string): boolean {
  const { files } = objectOf(parseJson(textAt(recordPath(stateDir))));
  const record = objectsOf(files).find((file) => file.path === path);
  return record?.writtenHash !== written || sha256(textAt(path)) === written;
}

/** Empty where it cannot be read. */
function textAt(path: string): string {
  try {
    return readIfThere(path) ?? "";
  } catch {
    return "";
  }
}
