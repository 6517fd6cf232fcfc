// The message for a person, before any channel's own syntax.
import * as z from "zod";
import { levels } from "./level.ts";

/** Channels escape the texts; here they are as they are. */
export const messageSchema = z.lazy(() =>
  z.object({
    title: z.string(),
    /** Where the title begins with it and a colon. */
    project: z.string().optional(),
    body: z.string(),
    /** If absent, the body is plain text. */
    isMarkdown: z.boolean().optional(),
    level: z.enum(levels).catch("attention"),
    /** Facts beside the text, such as project and agent, in display order. */
    fields: z.array(z.object({ label: z.string(), value: z.string() })),
  }),
);
export type Message = z.infer<typeof messageSchema>;

/** The note is the first of the context. */
export function withNote(message: Message, note: string): Message {
  return { ...message, fields: [{ label: "", value: note }, ...message.fields] };
}

/** `shop: is done: All tests pass.` */
export function titleAndBody(title: string, body: string): string {
  if (body === "") return title;
  return `${title}${/[.!?…]$/.test(title) ? "" : ":"} ${body}`;
}

/** Characters of a session's name beside other words, such as a title. */
export const maxNameBeside = 40;
