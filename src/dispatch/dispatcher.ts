import type { ChannelTools } from "../channels/channel-type.ts";
import type { Layout } from "../outbox/layout.ts";
import type { RulesReader } from "./current-rules.ts";

/** What every part of the pipeline is handed. */
export interface Dispatcher extends RulesReader {
  layout: Layout;
  /** Everything a channel may touch, but for the signal of its attempt. */
  tools: Omit<ChannelTools, "signal">;
  host: string;
  /** For a command in the foreground, which sends by itself what it makes beside a dispatcher in the background. */
  isForeground?: boolean;
}
