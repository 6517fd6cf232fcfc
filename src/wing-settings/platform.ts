// The "platform" part of the rules file: where the platform is, and which events to send.
import * as z from "zod";
import { allowHttpSetting, secretSetting } from "../channels/settings.ts";
import { isTimeZone } from "../model/figures/wall-clock.ts";
import { platformAgentId } from "../model/own-events.ts";
import { urlProblem } from "../system/network/destination.ts";
import type { SettingsPart } from "./part.ts";

/** What takes precedence over the rules file. */
export const platformVariables = {
  baseUrl: "HOOKBELL_PLATFORM_URL",
  appUrl: "HOOKBELL_PLATFORM_APP_URL",
  apiKey: "HOOKBELL_PLATFORM_KEY",
} as const;

const budgetPeriods = ["day", "week", "month"] as const;
const defaultThresholds = [50, 80, 100];

const address = (description: string): z.ZodType<string> =>
  z
    .string()
    .superRefine((text, context) => {
      const problem = urlProblem(text);
      if (problem !== undefined) context.addIssue({ code: "custom", message: `the URL ${problem}` });
    })
    .describe(description);

const budgetSchema = z.lazy(() =>
  z
    .strictObject({
      credits: z.number().positive().describe("how many credits the period has"),
      period: z.enum(budgetPeriods).default("month").describe("a UTC day, a week from Monday on, or a month"),
      thresholds: z
        .array(z.number().positive().max(1000))
        .min(1)
        .default(defaultThresholds)
        .describe(
          `percentages that send a CreditBudget event when they are reached; by default ${defaultThresholds.join(", ")}`,
        ),
      user: z.string().min(1).describe("count this user's credits only: an id or an e-mail address").optional(),
      model: z.string().min(1).describe("count this model's credits only: its id").optional(),
    })
    .refine(({ user, model }) => user === undefined || model === undefined, {
      error: 'expected "user" or "model", not both: the service does not count them together',
      path: ["model"],
    }),
);

export const platformSettings = z.lazy(() =>
  z.strictObject({
    baseUrl: address(`the API's address; ${platformVariables.baseUrl} takes precedence`).optional(),
    appUrl: address(
      `the application's address, for readiness reports, if it is another; ${platformVariables.appUrl} takes precedence`,
    ).optional(),
    apiKey: secretSetting(`the API key; ${platformVariables.apiKey} takes precedence`).optional(),
    allowHttp: allowHttpSetting().optional(),
    digest: z
      .strictObject({
        at: z
          .string()
          .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: "expected a time such as 09:00" })
          .describe("the local time from which on the last complete UTC day is reported"),
      })
      .describe("send a UsageDigest event every day")
      .optional(),
    budgets: z.array(budgetSchema).describe("send a CreditBudget event when so much of a budget is used").optional(),
    readiness: z
      .boolean()
      .describe("whether to send ReadinessReport and ReadinessRegression events for new reports")
      .optional(),
    timezone: z
      .string()
      .refine((name) => ["utc", "local"].includes(name) || isTimeZone(name), {
        error: "expected utc, local, or a name such as Europe/Berlin",
      })
      .describe("whose days `hookbell usage` counts by without a platform: utc (by default), local, or a time zone")
      .optional(),
    installs: z.boolean().describe("whether to send ComputerInstall events").optional(),
  }),
);
export type PlatformSettings = z.infer<typeof platformSettings>;

/** Whether the settings ask for an event that only a poll finds. */
export function isPolled({ digest, budgets = [], readiness = false }: PlatformSettings): boolean {
  return digest !== undefined || budgets.length > 0 || readiness;
}

export const platformPart = {
  schema: platformSettings,
  meaning: "the agent platform whose usage, readiness reports and computers you are notified of",
  sends: {
    agent: platformAgentId,
    events: {
      digest: ["UsageDigest"],
      budgets: ["CreditBudget"],
      readiness: ["ReadinessReport", "ReadinessRegression"],
      installs: ["ComputerInstall"],
    },
  },
} as const satisfies SettingsPart;
