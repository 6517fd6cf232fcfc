// The schema of "answers": which questions can be answered away from the agent's terminal.
import * as z from "zod";
import { parseEntry } from "../../answers/allow-list.ts";
import { durationSetting } from "../../channels/settings.ts";

const allowEntry = z.lazy(() =>
  z.string().superRefine((text, context) => {
    const entry = parseEntry(text);
    if ("problem" in entry) context.addIssue({ code: "custom", message: entry.problem });
  }),
);

/** No agent lets a hook wait longer. */
export const longestHoldMs = 9 * 60_000;

export const answersSchema = z.lazy(() =>
  z
    .strictObject({
      allow: z
        .array(allowEntry)
        .default([])
        .describe(
          'what an answer may allow, such as "Edit" or "Bash(npm test *)"; without it, answers can only deny. In a command, * stands for no sign that starts another one, such as ; or &',
        ),
      hold: z
        .enum(["away", "always", "never"])
        .default("away")
        .describe(
          'when the agent\'s hook waits for an answer: "away" (default) where its terminal asks as well, and elsewhere while you are away; "never": not at all. "always" is the same as "away"',
        ),
      holdFor: durationSetting("how long it waits once the question is shown somewhere, from 10s to 9m (default: 5m)")
        .refine((ms) => ms >= 10_000 && ms <= longestHoldMs, { error: "expected 10s to 9m" })
        .default(5 * 60_000),
      nextPrompt: z
        .int()
        .min(1)
        .max(8)
        .optional()
        .describe(
          "how many turns in a row wait for your next prompt when they end, while you are away (1 to 8; default: none)",
        ),
    })
    .transform(({ holdFor, ...answers }) => ({ ...answers, holdForMs: holdFor })),
);

export type AnswerSettings = z.infer<typeof answersSchema>;
