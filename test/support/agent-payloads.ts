import { readdirSync, readFileSync } from "node:fs";

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
export const documentedPayloads = readPayloads("documented-payloads");

function readPayloads(folder: string): AgentPayload[] {
  const root = new URL(`../fixtures/${folder}/`, import.meta.url);
  return readdirSync(root).flatMap((agentId) =>
    readdirSync(new URL(`${agentId}/`, root)).map((name) => ({
      agentId,
      file: name.replace(/\.json$/, ""),
      text: readFileSync(new URL(`${agentId}/${name}`, root), "utf8"),
    })),
  );
}
