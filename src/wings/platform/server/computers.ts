// The computers that the server knows, with what installs their dependencies.
import { join } from "node:path";
import * as z from "zod";
import { UserError } from "../../../model/errors.ts";
import type { Clock } from "../../../system/clock.ts";
import { changeList, readList, type ListFile } from "./list-file.ts";

const registeredSchema = z.object({
  id: z.string(),
  name: z.string(),
  hostname: z.string(),
  /** What install-deps runs: a program and its arguments, without a shell. */
  argv: z.tuple([z.string()], z.string()),
  cwd: z.string(),
  /** Milliseconds since the epoch. */
  createdAt: z.number(),
});
export type RegisteredComputer = z.infer<typeof registeredSchema>;

function fileIn(dataDir: string): ListFile<RegisteredComputer> {
  return { path: join(dataDir, "computers.json"), item: registeredSchema };
}

export function readComputers(dataDir: string): RegisteredComputer[] {
  return readList(fileIn(dataDir));
}

export async function addComputer(dataDir: string, computer: RegisteredComputer, clock: Clock): Promise<void> {
  await changeList(fileIn(dataDir), clock, (computers) => {
    if (computers.some(({ name }) => name === computer.name)) {
      throw new UserError("computers.exists", `there is a computer named ${computer.name} already`, {
        hint: "give the new one another name",
      });
    }
    return [...computers, computer];
  });
}
