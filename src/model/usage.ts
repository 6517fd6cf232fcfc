// What an event says about the use of an agent: names and numbers, no contents.
import * as z from "zod";

/** The levels, from most to least. */
export const autonomyLevels = ["auto-high", "auto-medium", "auto-low", "spec", "manual"] as const;
export type AutonomyLevel = (typeof autonomyLevels)[number];

export const clientTypes = ["terminal-ui", "web", "non-interactive-cli"] as const;
export type ClientType = (typeof clientTypes)[number];

const extension = z.lazy(() => z.string().max(32));
const count = z.lazy(() => z.number().int().min(1).max(1000));

export const usageSchema = z.lazy(() =>
  z.object({
    level: z.enum(autonomyLevels).optional(),
    client: z.enum(clientTypes).optional(),
    tool: z.string().max(200).optional(),
    /** The tool's MCP server. */
    server: z.string().max(200).optional(),
    skill: z.string().max(200).optional(),
    slashCommand: z.string().max(200).optional(),
    /** Extensions such as `.ts`; empty for a file without one. */
    created: z.array(extension).max(1000).optional(),
    edited: z.array(extension).max(1000).optional(),
    commits: count.optional(),
    pullRequests: count.optional(),
  }),
);
export type Usage = z.infer<typeof usageSchema>;

/** The tokens of one request; `input` is without the cache's. */
export interface TokenUse {
  model: string;
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  /** Counts that the agent gave as something else than a number; they are 0 above. */
  unreadable?: readonly ("input" | "output" | "cacheRead" | "cacheWrite")[];
}

export interface UsageEntry {
  /** Resumed sessions repeat their past in another file. */
  id: string;
  /** The id of the same thing in earlier releases: a server's database may know it by that. */
  formerId?: string | undefined;
  atMs: number;
  session: string;
  client?: ClientType | undefined;
  isPrompt?: boolean;
  isAnswer?: boolean;
  usage?: Usage;
  tokens?: TokenUse;
  thinkingModel?: string;
  /** The same figures may come again with larger numbers. */
  isGrowing?: boolean;
}
