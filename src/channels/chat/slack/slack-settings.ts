import * as z from "zod";
import type { SecretSource } from "../../../model/privacy/secret.ts";
import { silentEdit, updateSetting } from "../../session-message.ts";
import { secretSetting } from "../../settings.ts";
import { tokenProblem } from "./web-api.ts";
import { workflowProblem } from "./webhook-errors.ts";
import { allowHttpSetting, urlSetting } from "../../url-setting.ts";

const channelForms = "expected a channel's id (C..., G... or D...), a person's (U...), or a public channel's #name";

export interface SlackSettings {
  url?: SecretSource | undefined;
  token?: SecretSource | undefined;
  channel?: string | undefined;
  update?: "new" | "replace" | undefined;
  apiUrl?: SecretSource | undefined;
  allowHttp?: boolean | undefined;
}

/** Either a webhook's URL, or a bot's token and a channel. */
export const slackSettings: z.ZodType<SlackSettings> = z
  .strictObject({
    url: urlSetting("An incoming webhook's URL, https://hooks.slack.com/services/...", workflowProblem).optional(),
    token: secretSetting("Instead of url: a bot's token, xoxb-..., with the scope chat:write")
      .superRefine((source, context) => {
        const problem = source.from === "literal" ? tokenProblem(source.value.reveal()) : undefined;
        if (problem !== undefined) context.addIssue({ code: "custom", message: `the token ${problem}` });
      })
      .optional(),
    channel: z
      .string()
      .regex(/^([CDGUW][A-Z0-9]{2,30}|#[^\s#@<>&|]{1,80})$/, { error: channelForms })
      .optional()
      .describe("With token: the channel's id or #name; invite the bot there"),
    update: updateSetting("new", silentEdit),
    apiUrl: urlSetting("With token: another place of Slack's Web API, https://slack-gov.com/api").optional(),
    allowHttp: allowHttpSetting(),
  })
  .superRefine(({ url, token, channel, update, apiUrl }, context) => {
    const wrong = (path: string[], message: string): void => context.addIssue({ code: "custom", path, message });
    if (url === undefined && token === undefined)
      wrong([], 'needs "url" (a webhook), or "token" and "channel" (a bot)');
    if (url !== undefined && token !== undefined) wrong(["token"], 'expected either "url" or "token", came both');
    if (token !== undefined && channel === undefined) wrong([], '"token" needs "channel", too');
    if (url === undefined || token !== undefined) return;
    if (channel !== undefined) wrong(["channel"], 'goes with "token" only: a webhook has its channel already');
    if (update === "replace") wrong(["update"], 'goes with "token" only: a webhook cannot edit what it wrote');
    if (apiUrl !== undefined) wrong(["apiUrl"], 'goes with "token" only');
  })
  // The same for editors, who know nothing of the checks above.
  .meta({ anyOf: [needs("url"), needs("token", "channel")] });

function needs(...names: string[]): object {
  const properties = Object.fromEntries(names.map((name) => [name, { type: ["string", "object"] }]));
  return { type: "object", required: names, properties };
}
