import { existsSync, readdirSync, readFileSync } from "node:fs";
import { documented } from "../../agents/family/documented.ts";

/** A payload as an agent wrote it, or as its maker's page says that it does. */
export interface AgentPayload {
  agentId: string;
  /** Without `.json`. */
  file: string;
  text: string;
}

/** Written by real agents, in real runs. */
export const capturedPayloads = readPayloads("payloads");

/** Put together from what the makers' pages say. */
export const documentedPayloads: AgentPayload[] = [
  ...readPayloads("documented"),
  ...Object.entries(documented).flatMap(([agentId, table]) =>
    Object.entries(table).map(([file, { payload }]) => ({ agentId, file, text: JSON.stringify(payload) })),
  ),
];

function readPayloads(folder: string): AgentPayload[] {
  const root = new URL("../../agents/known/", import.meta.url);
  const withPayloads = readdirSync(root).filter((agentId) => existsSync(new URL(`${agentId}/${folder}/`, root)));
  return withPayloads.flatMap((agentId) =>
    readdirSync(new URL(`${agentId}/${folder}/`, root)).map((name) => ({
      agentId,
      file: name.replace(/\.json$/, ""),
      text: readFileSync(new URL(`${agentId}/${folder}/${name}`, root), "utf8"),
    })),
  );
}
