// What `fleet` writes on this machine: private files beside the rules file, and the rules file's "fleet". Undone byte by byte.
import { join } from "node:path";
import * as z from "zod";
import { exitCodes, UserError } from "../../../model/errors.ts";
import { parseJson } from "../../../model/json.ts";
import { withoutSection, withSection } from "../../../rules/edit/add.ts";
import { fleetDir } from "../admin/authority.ts";
import type { Member } from "../names.ts";
import { sha256 } from "../../../system/crypto.ts";
import { ensurePrivateDir, removeIfThere } from "../../../system/files/files.ts";
import { readIfThere } from "../../../system/files/read.ts";
import { removeEmptyFolder } from "../../../system/files/settings-backup.ts";
import { writeWhole } from "../../../system/files/write.ts";
import {
  fitToMachine,
  type FittedText,
  openRulesFile,
  type OpenedRules,
  requireGood,
  writeRulesFile,
} from "../../../commands/channels/rules-file.ts";
import type { CommandIo } from "../../../console/command-io.ts";

const recordSchema = z.object({
  /** Names in the fleet's folder. */
  files: z.array(z.string()),
  rules: z
    .object({
      path: z.string(),
      /** The text before; null if there was no file. */
      original: z.nullable(z.string()),
      /** SHA-256 of the text that `fleet` wrote. */
      writtenHash: z.string(),
    })
    .optional(),
});
type WrittenRecord = z.infer<typeof recordSchema>;

const recordName = "written.json";

/** Empty if nothing was written, or the record is damaged. */
export function readWritten(configDir: string): WrittenRecord {
  const text = readIfThere(join(fleetDir(configDir), recordName));
  return recordSchema.safeParse(parseJson(text ?? "")).data ?? { files: [] };
}

function writeRecord(configDir: string, record: WrittenRecord): void {
  ensurePrivateDir(fleetDir(configDir));
  writeWhole(join(fleetDir(configDir), recordName), `${JSON.stringify(record, undefined, 2)}\n`);
}

/** The record comes before the file: one that is not in it would stay for ever. */
export function recordFleetFile(configDir: string, name: string): void {
  const record = readWritten(configDir);
  if (!record.files.includes(name)) writeRecord(configDir, { ...record, files: [...record.files, name] });
}

export function removeFleetFile(configDir: string, name: string): void {
  removeIfThere(join(fleetDir(configDir), name));
  const record = readWritten(configDir);
  writeRecord(configDir, { ...record, files: record.files.filter((each) => each !== name) });
}

/** Only the owner can read it. */
export function writeFleetFile(configDir: string, name: string, text: string): string {
  recordFleetFile(configDir, name);
  const path = join(fleetDir(configDir), name);
  writeWhole(path, text);
  return path;
}

/** What the rules file says of this machine, besides where its credentials are. */
export interface Membership extends Member {
  servers: readonly string[];
  ca: string | undefined;
}

/** The text has the section. */
interface PlannedRules extends FittedText {
  opened: OpenedRules;
}

/** `name` is that of the credentials in the fleet's folder. */
export async function planSection(io: CommandIo, membership: Membership, name: string): Promise<PlannedRules> {
  const { org, person, host, servers, ca } = membership;
  const credentials = { file: join(fleetDir(io.places.configDir), name) };
  const section = { servers, credentials, ...(ca === undefined ? {} : { ca }), org, person, host };
  const path = io.places.rulesFile;
  const opened = await openRulesFile(path);
  const fitted = await fitToMachine(io, opened);
  const text = withSection(fitted.text, "fleet", section);
  await requireGood(text, path);
  return { opened, text, leftOut: fitted.leftOut };
}

/** Throws if another program has changed the file since. */
export function writeSection(io: CommandIo, { opened, text }: PlannedRules): void {
  const { configDir, rulesFile } = io.places;
  if (opened.before === text) return;
  const record = readWritten(configDir);
  const { rules } = record;
  // The text before the first of several changes is what removal gives back.
  const isOurs = rules !== undefined && opened.before !== undefined && sha256(opened.before) === rules.writtenHash;
  const original = isOurs ? rules.original : (opened.before ?? null);
  writeRecord(configDir, { ...record, rules: { path: rulesFile, original, writtenHash: sha256(text) } });
  if (writeRulesFile(opened, text, io) !== undefined) return;
  writeRecord(configDir, record);
  throw new UserError("rules.busy", `another program changed ${rulesFile} meanwhile`, {
    hint: "run this again",
    exitCode: exitCodes.cannotWrite,
  });
}

/** Returns one line for each thing that it undid. */
export async function undoOnThisMachine(io: CommandIo): Promise<string[]> {
  const { configDir } = io.places;
  const { files, rules } = readWritten(configDir);
  const done: string[] = [];
  if (rules !== undefined) {
    const opened = await openRulesFile(rules.path);
    const isUntouched = opened.before !== undefined && sha256(opened.before) === rules.writtenHash;
    if (isUntouched && rules.original === null) {
      removeIfThere(rules.path);
      done.push(`removed ${rules.path}`);
    } else if (opened.before !== undefined) {
      const text = isUntouched ? (rules.original ?? "") : withoutSection(opened.before, "fleet");
      if (writeRulesFile(opened, text, io) === undefined) {
        throw new UserError("rules.busy", `another program changed ${rules.path} meanwhile`, {
          hint: "run this again",
        });
      }
      done.push(`${isUntouched ? "restored" : 'removed "fleet" from'} ${rules.path}`);
    }
  }
  // The list goes last: after a break in between, this can be run again.
  for (const name of [...files, recordName]) {
    const path = join(fleetDir(configDir), name);
    if (removeIfThere(path)) done.push(`removed ${path}`);
  }
  removeEmptyFolder(fleetDir(configDir));
  return done;
}
