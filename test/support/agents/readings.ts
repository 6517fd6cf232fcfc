// What is to be read out of each agent's payloads: the tables in test/agents/known/<id>/readings.ts, found by the
// registry, and those in test/agents/family/documented.ts.
import { agents } from "../../../src/agents/index.ts";
import { documented } from "../../agents/family/documented.ts";
import type { ExpectedReading } from "./expected-reading.ts";

export type { ExpectedReading } from "./expected-reading.ts";

export interface AgentReadings {
  /** By the files in payloads/: what the agent was seen to write. */
  captured: Record<string, ExpectedReading>;
  /** By the files in documented/: what the vendor's pages say that it writes. */
  documented: Record<string, ExpectedReading>;
  /**
   * The files that say nothing of their agent, of one that has an `isAuthor`: as input of Claude Code's hook, they count
   * as Claude Code's.
   */
  anonymous?: readonly string[];
}

/** By the agents' ids. */
export const readings: Readonly<Record<string, AgentReadings>> = Object.fromEntries(
  await Promise.all(
    agents
      .filter(({ id }) => id !== "generic")
      .map(async ({ id }) => [id, ofRow(id) ?? (await import(`../../agents/known/${id}/readings.ts`))] as const),
  ),
) as Record<string, AgentReadings>;

function ofRow(id: string): AgentReadings | undefined {
  const table = documented[id];
  if (table === undefined) return undefined;
  const reads = Object.entries(table).map(([file, event]) => [file, event.reads] as const);
  return { captured: {}, documented: Object.fromEntries(reads) };
}
