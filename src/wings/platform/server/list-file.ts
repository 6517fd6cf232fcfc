// A JSON list that commands replace as a whole and the server reads at each request.
import { dirname } from "node:path";
import * as z from "zod";
import { describeWriteError, exitCodes, UserError } from "../../../model/errors.ts";
import type { Clock } from "../../../system/clock.ts";
import { ensurePrivateDir } from "../../../system/files/files.ts";
import { readIfThere } from "../../../system/files/read.ts";
import { writeWhole } from "../../../system/files/write.ts";
import { takeLock } from "../../../system/process/lock.ts";

export interface ListFile<Item> {
  path: string;
  item: z.ZodType<Item>;
}

const waitMs = 5000;
const staleMs = 30_000;

/** Empty when there is no file; throws a `UserError` when it is not such a list. */
export function readList<Item>({ path, item }: ListFile<Item>): Item[] {
  const text = readIfThere(path);
  if (text === undefined) return [];
  try {
    return z.array(item).parse(JSON.parse(text));
  } catch {
    throw new UserError("server.list", `${path} cannot be read: it is not in hookbell's format`, {
      hint: "restore it from a backup, or remove it and add its entries again",
    });
  }
}

/** Two commands at once both take effect. */
export async function changeList<Item>(
  file: ListFile<Item>,
  clock: Clock,
  change: (items: Item[]) => Item[],
): Promise<void> {
  try {
    ensurePrivateDir(dirname(file.path));
    const { signal } = new AbortController();
    const release = await takeLock(`${file.path}.lock`, { clock, waitMs, staleMs, signal });
    if (release === undefined) {
      throw new UserError("server.list.busy", `another command is writing ${file.path}`, {
        hint: "run this again when it has ended",
        exitCode: exitCodes.cannotWrite,
      });
    }
    try {
      writeWhole(file.path, `${JSON.stringify(change(readList(file)), null, 2)}\n`);
    } finally {
      release();
    }
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError("server.list.write", `cannot write ${file.path}: ${describeWriteError(error)}`, {
      hint: "the folder must belong to you and have room; or give another one with --data",
      exitCode: exitCodes.cannotWrite,
    });
  }
}
