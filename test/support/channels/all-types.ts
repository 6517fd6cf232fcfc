// Every channel type, for tests that loop over the registry.
import { loadChannelTypes } from "../../../src/channels/index.ts";

export const channelTypes = await loadChannelTypes();
