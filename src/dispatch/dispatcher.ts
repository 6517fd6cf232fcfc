import type { ChannelTools } from "../channels/channel-type.ts";
import type { Layout } from "../outbox/layout.ts";
import type { CurrentRules } from "./current-rules.ts";

/** What every part of the pipeline is handed. */
export interface Dispatcher {
  layout: Layout;
  /** The rules that apply now; read again when the file changes. */
  rules: () => CurrentRules;
  /** Everything a channel may touch, but for the signal of its attempt. */
  tools: Omit<ChannelTools, "signal">;
  host: string;
  /** For a command in the foreground, which sends by itself what it makes beside a dispatcher in the background. */
  isForeground?: boolean;
}
