// What every stage of the pipeline is handed.
import type { Presence } from "../attention/presence.ts";
import type { ChannelTools, ClickWatch } from "../channels/channel-type.ts";
import type { AgentTerminal } from "../model/agent-terminal.ts";
import type { Delivery } from "../model/delivery.ts";
import type { Environment } from "../system/environment.ts";
import type { Layout } from "../outbox/layout.ts";
import type { RulesReader } from "./current-rules.ts";

export interface Dispatcher extends RulesReader {
  layout: Layout;
  /** Its environment grows by what the agents have. */
  tools: Omit<ChannelTools, "signal">;
  host: string;
  /** Absent where nothing can look. */
  observePresence?: (terminal: AgentTerminal | undefined, env: Environment) => Promise<Presence>;
  /** The signal that a question is over; absent in the foreground, where no question is shown with buttons. */
  untilOver?: ((question: string) => AbortSignal) | undefined;
  /** Hears of clicks on what a delivery shows; absent in the foreground, which does not stay for them. */
  watchClick?: ((delivery: Delivery) => ClickWatch) | undefined;
  /** A command in the foreground sends what it adds by itself. */
  isForeground?: boolean;
}
