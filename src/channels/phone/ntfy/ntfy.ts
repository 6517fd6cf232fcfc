// ntfy: a topic at ntfy.sh, or on a server of your own.
import { delivered, failed, type Failed } from "../../../model/outcome.ts";
import { withoutSecrets } from "../../../model/privacy/redact.ts";
import type { HttpResponse } from "../../../system/network/http.ts";
import type { ChannelDefinition } from "../../channel-type.ts";
import { maxContext } from "../../rendering/compose.ts";
import { defineHttpChannel } from "../../http-channel.ts";
import { mayBeReplaced, messageId, takesPlace } from "../../session-message.ts";
import { readJsonSuccess, unexpectedAnswer } from "../../vendor-answer.ts";
import { probeRequest } from "../../vendor-request.ts";
import { accessProblem, setUpProblem } from "./access.ts";
import { actionsOf, ntfyAnswers } from "./answers.ts";
import { readNtfyFailure } from "./errors.ts";
import {
  maxBody,
  maxTitle,
  mayBePublic,
  ntfySettings,
  type NtfySettings,
  publish,
  publishQuestion,
  quietly,
  type ReadyNtfy,
  topicProblem,
  urlOf,
} from "./publish.ts";
import { objectIn } from "../../../model/json.ts";

const docs = "https://docs.ntfy.sh/publish/#publish-as-json";
const sending = defineHttpChannel<NtfySettings>({
  ringsPhone: true,
  docs,
  settings: ntfySettings,
  limits: [
    { what: "title", most: maxTitle, unit: "bytes", source: "ours" },
    { what: "body", most: maxBody, unit: "bytes", source: "ours" },
    { what: "fields", most: maxContext, unit: "bytes", source: "ours" },
  ],
  // https://docs.ntfy.sh/publish/#limitations: 60 at once, then one every 5 s.
  rate: { messages: 60, perMs: 60 * 5000 },
  // The same sequence_id again replaces the message on Android and in browsers; an iPhone shows it twice.
  isRepeatHarmless: true,
  // Anyone who guesses the name of a topic of ntfy.sh can read it.
  content: "none",
  contentFor: ({ server }) => (mayBePublic(server) ? "none" : "summary"),
  request(request) {
    const { settings, message, event, deliveryId, question, isSilent } = request;
    // https://docs.ntfy.sh/publish/#click-action
    const extra = { ...(isSilent === true ? quietly : {}), ...(message.link && { click: message.link }) };
    const problem = topicProblem(settings.topic.reveal());
    if (problem !== undefined) return failed("rejected", problem);
    if (question !== undefined) {
      const actions = actionsOf(settings, question.buttons);
      return publishQuestion(settings, message, event.name, { sequence_id: deliveryId, actions, ...extra });
    }
    const sequence = messageId(request);
    return publish(settings, message, event.name, { sequence_id: sequence, ...extra });
  },
  readSuccess(response, request) {
    const { question, deliveryId } = request;
    const outcome = readJsonSuccess(response, "ntfy", ({ id }) => typeof id === "string");
    if (question !== undefined && outcome.status === "delivered") {
      return delivered({ detail: outcome.detail, remember: { sequence: deliveryId } });
    }
    if (outcome.status === "failed") return outcome;
    const remember = { id: messageId(request) };
    if (!takesPlace(request)) return mayBeReplaced(request) ? { ...outcome, remember } : outcome;
    // A server that knows sequences repeats the sequence_id; an older one shows the message beside the others.
    const { sequence_id: sequence } = objectIn(response.body);
    const note = "it replaces no message: the server is older than 2.16";
    return typeof sequence === "string"
      ? { ...outcome, remember }
      : delivered({ detail: `${outcome.detail}, but ${note}` });
  },
  readFailure: readNtfyFailure,
  answers: ntfyAnswers,
  showsList: () => "joined",
  setUp: {
    propose: { topic: (id) => `hookbell-${id}` },
    subscribe: ({ topic, server }) => ({
      link: urlOf({ server }, `/${topic.reveal()}`),
      advice: `Subscribe on your phone: scan this code, or add the topic in the ntfy app. Anyone who knows the topic can read your messages, so keep it secret.`,
    }),
  },
  noticing: {
    how: "see",
    otherwise: [
      "subscribe to the topic in the phone's app, on the same server: ntfy accepts messages without any subscriber",
      "let the app notify: the phone's settings, do not disturb, and battery saving on Android",
      "on an iPhone, a server of your own needs upstream-base-url: https://docs.ntfy.sh/config/#ios-instant-notifications",
    ],
  },
  // Asks whether the server knows the token, or without one, whether it is healthy; and, given a topic for answers, whether
  // those who need it can use it, and no one else. Publishes nothing.
  async probe(settings, tools) {
    const { token, allowHttp, replyTopic } = settings;
    const untold = "only `hookbell test` shows whether hookbell may write to the topic";
    const failure = (answer: HttpResponse): Failed => readNtfyFailure(answer) ?? unexpectedAnswer(answer, "ntfy");
    const request = { method: "GET", isPlainHttpAllowed: allowHttp } as const;
    if (token === undefined) {
      // https://docs.ntfy.sh/config/#health-checks
      return probeRequest({ ...request, url: urlOf(settings, "/v1/health") }, tools, {
        well: ({ body }) => (objectIn(body).healthy === true ? `the server is healthy; ${untold}` : undefined),
        failure,
        fix: 'check "server"',
      });
    }
    const headers = { authorization: `Bearer ${token.reveal()}` };
    const result = await probeRequest({ ...request, url: urlOf(settings, "/v1/account"), headers }, tools, {
      well: ({ status, body }) =>
        status === 200 && typeof objectIn(body).username === "string"
          ? `the server accepts the token; ${untold}`
          : undefined,
      failure,
      fix: 'check "server" and "token"',
    });
    if (result.status !== "ok" || replyTopic === undefined) return result;
    const problem = await setUpProblem(settings, tools);
    if (problem === undefined)
      return { status: "ok", detail: `${result.detail}; the topics and tokens are fit for answers` };
    const detail = typeof problem === "object" ? problem.detail : problem;
    return { status: "broken", detail, fix: "change the access to the topics on the server: ntfy access" };
  },
});

/** A question has buttons only where no one else can press them. */
export const ntfy: ChannelDefinition = {
  ...sending,
  async send(request, tools) {
    if (request.question === undefined) return sending.send(request, tools);
    const problem = await accessProblem(request.settings as ReadyNtfy, tools);
    if (problem === undefined) return sending.send(request, tools);
    if (typeof problem === "object") return withoutSecrets(problem, request.settings);
    const fields = [...request.message.fields, { label: "", value: "answer at the terminal" }];
    const outcome = await sending.send(
      { ...request, message: { ...request.message, fields }, question: undefined },
      tools,
    );
    return outcome.status === "delivered" ? delivered({ detail: `without buttons: ${problem}` }) : outcome;
  },
};
