import * as z from "zod";
import { levels } from "./level.ts";

/** What a person is told, before any channel's own syntax. Nothing in it is escaped yet. */
export const messageSchema = z.object({
  title: z.string(),
  body: z.string(),
  level: z.enum(levels),
  /** Small facts beside the text, such as project and agent, in the order to show them. */
  fields: z.array(z.object({ label: z.string(), value: z.string() })),
});
export type Message = z.infer<typeof messageSchema>;
