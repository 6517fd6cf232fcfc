// Microsoft Teams: a workflow that starts when it receives a webhook request.
import * as z from "zod";
import { delivered, failed, type Failed, type FailureReason } from "../../../model/outcome.ts";
import type { Secret } from "../../../model/privacy/secret.ts";
import type { HttpResponse } from "../../../system/network/http.ts";
import { defineHttpChannel, quote, reasonOfStatus } from "../../http-channel.ts";
import { meaningOf, unexpectedAnswer, withQuote } from "../../vendor-answer.ts";
import { jsonPost } from "../../vendor-request.ts";
import * as teamsCard from "./message.ts";
import { allowHttpSetting, urlSetting } from "../../settings.ts";
import { objectIn, objectOf } from "../../../model/json.ts";

const docs =
  "https://support.microsoft.com/en-us/office/create-incoming-webhooks-with-workflows-for-microsoft-teams-8ae491c7-0394-4861-ba59-055e33f75498";
const newWorkflow =
  'in Teams, open the channel\'s menu, choose Workflows, then "Send webhook alerts to a channel", and set the URL it shows';

const settings = z.strictObject({
  url: urlSetting("The workflow's URL, as Teams shows it", teamsUrlProblem),
  allowHttp: allowHttpSetting(),
});

export const teams = defineHttpChannel({
  docs,
  settings,
  isShared: true,
  limits: [
    {
      what: "the request",
      most: teamsCard.maxRequest,
      unit: "bytes",
      source: "https://learn.microsoft.com/connectors/teams/",
    },
    { what: "title", most: teamsCard.maxTitle, unit: "bytes", source: "ours" },
    { what: "body", most: teamsCard.maxBody, unit: "bytes", source: "ours" },
    { what: "one field", most: teamsCard.maxField, unit: "bytes", source: "ours" },
    { what: "fields", most: teamsCard.maxFields, unit: "items", source: "ours" },
  ],
  // Four a second: https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook.
  // Two at once and one every half second never exceed that.
  rate: { messages: 2, perMs: 1000 },
  request({ settings, message, event }) {
    const url = settings.url.reveal();
    const problem = teamsUrlProblem(url);
    if (problem !== undefined) return failed("gone", `the URL ${problem}`);
    // The signature covers every character of the query.
    return jsonPost(url, settings.allowHttp, teamsCard.toTeamsMessage(message, event.name));
  },
  readSuccess(response) {
    // An answer is empty, or what its author chose.
    if (response.body.trimStart().startsWith("<")) return unexpectedAnswer(response, "a Teams workflow");
    const detail = `answered ${response.status}: the workflow has started; its run history says whether it could post`;
    return delivered({ detail });
  },
  readFailure: readTeamsFailure,
  noticing: {
    how: "see",
    otherwise: [
      "open the workflow in Teams or Power Automate and look at its run history: the failed step says why",
      "make sure that the workflow's owner is still a member of the team, and that the workflow is on",
    ],
  },
});

/** Microsoft switched Office 365 connectors off in spring 2026. */
function teamsUrlProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { hostname, pathname } = new URL(text);
  if (/^teams\.(microsoft\.com|live\.com|cloud\.microsoft)$/.test(hostname)) {
    return `is a link into Teams, not a workflow's URL; ${newWorkflow}`;
  }
  if (/(^|\.)(powerautomate|flow\.microsoft)\.com$/.test(hostname)) {
    return `is that of a page, not a workflow's; ${newWorkflow}`;
  }
  const isConnector =
    /(^|\.)webhook\.office\.com$/.test(hostname) ||
    (/^outlook\.office(365)?\.com$/.test(hostname) && pathname.startsWith("/webhook"));
  return isConnector ? `belongs to an Office 365 connector, which Microsoft has retired; ${newWorkflow}` : undefined;
}

/** Codes of the service behind Power Automate: https://learn.microsoft.com/power-automate/error-reference */
const workflowErrors: Record<string, [FailureReason, string]> = {
  WorkflowTriggerIsNotEnabled: ["gone", `the workflow is switched off or deleted; switch it on, or ${newWorkflow}`],
  WorkflowNotFound: ["gone", `the workflow was deleted; ${newWorkflow}`],
  WorkflowTriggerNotFound: ["gone", `the workflow does not start with a webhook any more; ${newWorkflow}`],
  DirectApiAuthorizationRequired: [
    "unauthorized",
    "the URL has no signature (sig=...); copy all of it, and let anyone trigger the workflow",
  ],
  DirectApiInvalidAuthorizationScheme: ["unauthorized", "let anyone trigger the workflow, and copy its URL again"],
  AuthorizationFailed: ["unauthorized", "the URL's signature is wrong; copy the URL from the workflow again"],
  InvalidAuthorization: ["unauthorized", "the URL's signature is wrong; copy the URL from the workflow again"],
  TriggerInputSchemaMismatch: [
    "rejected",
    `the workflow expects other fields than the template of Teams; ${newWorkflow}`,
  ],
  RequestEntityTooLarge: ["rejected", "the card is too large for Teams; please report it"],
};

function readTeamsFailure({ body, status }: HttpResponse, { url }: { url: Secret }): Failed | undefined {
  const { code } = objectOf(objectIn(body).error);
  const known = meaningOf(workflowErrors, code);
  if (known !== undefined) return failed(known[0], `answered ${status} ${quote(String(code))}: ${known[1]}`);
  const reason = reasonOfStatus(status);
  // Azure's own Logic Apps stayed.
  const isOldHost = URL.canParse(url.reveal()) && new URL(url.reveal()).hostname.endsWith(".logic.azure.com");
  if ((reason !== "gone" && reason !== "unauthorized") || !isOldHost) return undefined;
  const fix = "workflows have left logic.azure.com; open the workflow and set the URL that it shows now";
  return failed(reason, withQuote(`answered ${status}: ${fix}`, quote(body)));
}
