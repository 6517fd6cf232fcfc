// What the contract tests need to know about sounds, which say nothing of a message.
import type { OtherSample } from "../../../support/channels/channel-sample.ts";

export const sample: OtherSample = { settings: () => ({}) };
