// What a wing's part of the rules file is.
import type * as z from "zod";

export interface SettingsPart {
  schema: z.ZodType;
  /** What editors and `channels` say of it. */
  meaning: string;
  /** Whether questions can be asked on another machine where it is set, although no channel here takes answers. */
  asksElsewhere?: true;
  /** The events that each of its settings sends, of an agent with this id; without a rule for one of them, the setting does nothing. */
  sends?: { agent: string; events: Readonly<Record<string, readonly string[]>> };
}
