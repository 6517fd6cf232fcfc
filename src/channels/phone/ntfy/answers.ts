// How a person answers in ntfy: each button sends its nonce to a second topic of the same server.
import type { SecretSource } from "../../../model/privacy/secret.ts";
import type { Button } from "../../../model/answer.ts";
import type { AnswerTransport } from "../../channel-type.ts";
import { callVendor, withQuery } from "../../vendor-request.ts";
import { checkText } from "./access.ts";
import { readNtfyFailure } from "./errors.ts";
import {
  mayBePublic,
  type NtfySettings,
  publishQuestion,
  type ReadyNtfy,
  renderCard,
  urlOf,
  withToken,
} from "./publish.ts";
import { sleep } from "../../../system/clock.ts";
import { objectIn } from "../../../model/json.ts";

/** The server sends a line every 45 s: https://docs.ntfy.sh/config/#config-options */
const idleTimeoutMs = 90_000;
const longestStreamMs = 10 * 60_000;
const pauseMs = 1000;

export const ntfyAnswers: AnswerTransport<NtfySettings> = {
  render: renderCard,
  // Only this channel's own token can write to the reply topic.
  namesSender: false,
  problemOf({ server, topic, token, replyTopic, replyToken }) {
    if (mayBePublic(server)) return 'anyone can use a topic of ntfy.sh: write a server of your own as "server", here';
    if (token === undefined) return 'it needs "token", with which hookbell reads the answers';
    if (replyTopic === undefined) return 'it needs "replyTopic", another topic of that server';
    if (replyToken === undefined) return 'it needs "replyToken", with which the phone may write to "replyTopic"';
    if (isSame(topic, replyTopic)) return '"replyTopic" must be another topic than "topic"';
    return isSame(token, replyToken) ? '"replyToken" is in each question: it must not be "token"' : undefined;
  },
  credentialOf: ({ server, replyTopic }) => `${server?.reveal()} ${replyTopic?.reveal()}`,
  async listen(settings, onReply, tools) {
    // By the server's clock, and longer than a question is open; a nonce of an older one counts no more.
    let since = "10m";
    for (;;) {
      let isOpen = false;
      const onLine = (line: string): void => {
        const { event, id, message } = objectIn(line);
        isOpen ||= event === "open";
        if (event !== "message" || typeof id !== "string" || typeof message !== "string") return;
        if (message === checkText) return;
        onReply({ nonce: message.trim() });
        since = id;
      };
      // https://docs.ntfy.sh/subscribe/api/#fetch-cached-messages
      const stream = {
        method: "GET" as const,
        url: withQuery(urlOf(settings, `/${settings.replyTopic?.reveal()}/json`), { since }),
        isPlainHttpAllowed: settings.allowHttp,
        headers: withToken(settings.token),
      };
      const answer = await tools.http(stream, {
        timeoutMs: longestStreamMs,
        signal: tools.signal,
        lines: { onLine, idleTimeoutMs },
        keepsConnection: true,
      });
      if (tools.signal.aborted) return "";
      if (!isOpen) return whyNot(answer);
      await sleep(tools.clock, pauseMs);
    }
  },
  async close(settings, { sequence = "" }, card, tools) {
    const request = publishQuestion(settings, card, "PermissionRequest", { sequence_id: sequence });
    const answer = await callVendor(request, tools);
    const why = "detail" in answer || answer.status !== 200 ? whyNot(answer) : undefined;
    if (why !== undefined) throw new Error(why);
  },
};

function isSame(a: SecretSource, b: SecretSource): boolean {
  return a.from === "literal" && b.from === "literal" && a.value.reveal() === b.value.reveal();
}

function whyNot(answer: Awaited<ReturnType<typeof callVendor>>): string {
  if ("detail" in answer) return answer.detail;
  return readNtfyFailure(answer)?.detail ?? `answered ${answer.status}, but not as ntfy does; check "server"`;
}

/** https://docs.ntfy.sh/publish/#send-http-request */
export function actionsOf(settings: ReadyNtfy, buttons: readonly Button[]): object[] {
  const url = urlOf(settings, `/${settings.replyTopic?.reveal()}`);
  const headers = withToken(settings.replyToken);
  return buttons.map(({ label, nonce }) => ({ action: "http", label, url, method: "POST", headers, body: nonce }));
}
