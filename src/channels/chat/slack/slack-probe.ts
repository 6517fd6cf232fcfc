import type { Secret } from "../../../model/privacy/secret.ts";
import { printableLine } from "../../../model/text.ts";
import type { HttpResponse } from "../../../system/network/http.ts";
import type { ChannelTools, ProbeResult } from "../../channel-type.ts";
import { probeRequest } from "../../probe-request.ts";
import { callSlack, readSlackFailure } from "./web-api.ts";
import { readJsonObject } from "../../vendor-answer.ts";

/** What a message needs: https://docs.slack.dev/reference/scopes/chat.write */
const neededScope = "chat:write";

/** Whether Slack knows the bot, and lets it write; a webhook cannot be asked. https://docs.slack.dev/reference/methods/auth.test */
export async function probeSlack(
  { token, ...own }: { token?: Secret | undefined; apiUrl?: Secret | undefined; allowHttp?: boolean | undefined },
  tools: Pick<ChannelTools, "http" | "signal">,
): Promise<ProbeResult> {
  if (token === undefined)
    return { status: "ok", detail: "its settings are complete; hookbell test sends one message" };
  let lacksScope = false;
  const result = await probeRequest(callSlack({ ...own, token }, "auth.test", {}), tools, {
    well(answer) {
      const { ok, user, team } = readJsonObject(answer.body);
      lacksScope = scopesOf(answer)?.includes(neededScope) === false;
      return ok === true ? printableLine(`Slack knows the bot as ${String(user)} of ${String(team)}`) : undefined;
    },
    failure: readSlackFailure,
    mend: 'check "token"',
  });
  if (result.status === "broken" || !lacksScope) return result;
  return {
    status: "broken",
    detail: `the bot may not write: its token has no scope ${neededScope}`,
    mend: `give the app the scope ${neededScope} under OAuth & Permissions, and install it again`,
  };
}

/** What the token allows, as Slack says it beside each answer. */
function scopesOf(answer: HttpResponse): string[] | undefined {
  return answer.headers["x-oauth-scopes"]?.split(/\s*,\s*/);
}
