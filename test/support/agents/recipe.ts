import { delimiter } from "node:path";
import { fetchNode } from "../../../scripts/node-versions.mjs";

/** An agent's program as a package of npm. */
export interface AgentCli {
  package: string;
  version: string;
  /** Where the program lies in what npm installs. */
  program: string;
  /** The only machine it runs on, as `process.platform` and `process.arch` have it. */
  onlyOn?: string;
}

/** How a real agent is run so that it needs no login and nothing beyond loopback. */
export interface AgentRecipe {
  /** The agent's id in hookbell. */
  agent: string;
  clis: readonly [AgentCli, ...AgentCli[]];
  /** Arguments of a run without a terminal. */
  args(prompt: string): string[];
  env(modelOrigin: string, home: string): Record<string, string>;
  /** What must lie below the home folder for the pretend model to be found, by path. */
  files(modelOrigin: string): Record<string, string>;
  /** A daemon that the agent leaves behind, known by this in its command line beside the home folder. */
  daemon?: string;
}

/** No one listens here. */
export const nowhere = "http://127.0.0.1:9";

/** For agents that need a newer Node than hookbell and start the `node` on PATH. */
export function pathWithNode22(): string {
  const node = fetchNode("22");
  if ("missing" in node) throw new Error(node.missing);
  return `${node.bin}${delimiter}${process.env.PATH ?? ""}`;
}
