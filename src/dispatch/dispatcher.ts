// What every stage of the pipeline is handed.
import type { ChannelTools } from "../channels/channel-type.ts";
import type { Layout } from "../outbox/layout.ts";
import type { RulesReader } from "./current-rules.ts";

export interface Dispatcher extends RulesReader {
  layout: Layout;
  /** Everything a channel may touch, but for the signal of its attempt. */
  tools: Omit<ChannelTools, "signal">;
  host: string;
  /** A command in the foreground, which itself sends what it adds, beside a dispatcher in the background. */
  isForeground?: boolean;
}
