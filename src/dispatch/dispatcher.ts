// What every stage of the pipeline is handed.
import type { ChannelTools } from "../channels/channel-type.ts";
import type { Layout } from "../outbox/layout.ts";
import type { RulesReader } from "./current-rules.ts";

export interface Dispatcher extends RulesReader {
  layout: Layout;
  /** But for the signal of an attempt. Its environment grows by what the agents have. */
  tools: Omit<ChannelTools, "signal">;
  host: string;
  /** A command in the foreground sends what it adds by itself. */
  isForeground?: boolean;
}
