// Every channel type, loaded at once. Code that knows which types it needs calls loadChannelType instead.
import type { ChannelType } from "./channel-type.ts";
import { loadChannelTypes } from "./index.ts";

export const channelTypes: readonly ChannelType[] = await loadChannelTypes();
