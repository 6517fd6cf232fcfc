import * as z from "zod";
import type { AgentEvent } from "../../../model/event.ts";
import { hasSession, updateSetting, type Update } from "../../session-message.ts";
import { durationSetting } from "../../settings.ts";

/** Of the notification service: https://specifications.freedesktop.org/notification-spec/latest/urgency-levels.html */
export const urgencies = { low: 0, normal: 1, critical: 2 } as const;

export const desktopSettings = z.strictObject({
  displayFor: durationSetting(
    "how long it stays on the screen, where the desktop lets us say; else it decides",
  ).optional(),
  update: updateSetting("replace"),
  urgency: z
    .enum(["low", "normal", "critical"])
    .describe("instead of the one that goes with the level; critical ones stay until they are closed")
    .optional(),
  daemonSound: z.boolean().default(false).describe("let the desktop play its own sound with it"),
});
export type DesktopSettings = z.infer<typeof desktopSettings>;

/** Usual here, unlike elsewhere: what replaces a notification on the screen is shown anew, and a session fills no screen. */
export function replacesEarlier({ update }: { update?: Update | undefined }, event: AgentEvent): boolean {
  return (update ?? "replace") === "replace" && hasSession(event);
}
