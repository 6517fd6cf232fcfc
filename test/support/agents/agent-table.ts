// After a run with the real agents: a table of what each of them was seen to tell, now or earlier.
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import type { TestProject } from "vitest/node";
import { agents } from "../../../src/agents/index.ts";
import type { AgentEvent } from "../../../src/model/event.ts";
import { readings, type ExpectedReading } from "./readings.ts";

declare module "vitest" {
  interface ProvidedContext {
    seenEventsFile: string;
  }
}

/** Events by our names; a `Notification` is told apart by its kind. */
const columns = [
  "UserPromptSubmit",
  "Stop",
  "StopFailure",
  "SubagentStop",
  "SessionEnd",
  "PermissionRequest",
  "permission_prompt",
  "idle_prompt",
  "elicitation_dialog",
  "agent_needs_input",
];

type Named = Pick<AgentEvent, "name" | "notificationType">;

/** Notes that an agent itself told of these events in this run. */
export function noteSeen(agent: string, events: readonly Named[]): void {
  appendFileSync(inject("seenEventsFile"), events.map((event) => `${agent} ${columnOf(event)}\n`).join(""));
}

/** Vitest's global set-up. What comes back runs after all tests; with `AGENTS_TABLE` it writes the table to that file, too. */
export function setup({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), "hookbell-seen-"));
  const file = join(folder, "events");
  writeFileSync(file, "");
  provide("seenEventsFile", file);
  return () => {
    const table = agentTable(new Set(readFileSync(file, "utf8").split("\n")));
    rmSync(folder, { recursive: true });
    process.stdout.write(`\n${table}\n`);
    if (process.env.AGENTS_TABLE !== undefined) writeFileSync(process.env.AGENTS_TABLE, table);
  };
}

function agentTable(seen: ReadonlySet<string>): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |\n`;
  const rows = agents
    .filter(({ id }) => id !== "generic")
    .map(({ id, name }) => row([name, ...columns.map((column) => howKnown(id, column, seen))]));
  return (
    row(["agent", ...columns.map((column) => `\`${column}\``)]) +
    row(["---", ...columns.map(() => "---")]) +
    rows.join("")
  );
}

function howKnown(agent: string, column: string, seen: ReadonlySet<string>): string {
  if (seen.has(`${agent} ${column}`)) return "**real**";
  if (hasReading(readings[agent]?.captured, column)) return "captured";
  return hasReading(readings[agent]?.documented, column) ? "documented" : "";
}

function hasReading(ofAgent: Record<string, ExpectedReading> = {}, column: string): boolean {
  return Object.values(ofAgent).some((reading) => reading.ignored === undefined && columnOf(reading) === column);
}

function columnOf({ name, notificationType }: { name: string; notificationType?: string | undefined }): string {
  return name === "Notification" ? (notificationType ?? name) : name;
}
