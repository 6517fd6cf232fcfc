// Who may do what with the topics of an ntfy channel that takes answers. No request publishes anything.
import { docsUrl } from "../../../model/errors.ts";
import { failed, type Failed } from "../../../model/outcome.ts";
import type { Secret } from "../../../model/privacy/secret.ts";
import type { ChannelTools } from "../../channel-type.ts";
import { type ReadyNtfy, urlOf, withToken } from "./publish.ts";

interface Right {
  to: "read" | "write";
  topic: Secret | undefined;
  token: Secret | undefined;
  isMeant: boolean;
  /** What is wrong if the access is not as intended. */
  problem: string;
}

type Tools = Pick<ChannelTools, "http" | "signal">;

const timeoutMs = 10_000;
const inVain = `so no answer counts; see ${docsUrl("reference/ANSWERS.md")}`;

/** Why others could answer. */
export function accessProblem(settings: ReadyNtfy, tools: Tools): Promise<Failed | string | undefined> {
  return findProblem(settings, tools, rightsOfStrangers(settings));
}

/** Checks, too, that the tokens have the rights that they need, and no more. */
export function setUpProblem(settings: ReadyNtfy, tools: Tools): Promise<Failed | string | undefined> {
  const { topic, replyTopic, token, replyToken } = settings;
  const tooMuch = '"replyToken" is in each question: let it write to "replyTopic", and nothing else';
  return findProblem(settings, tools, [
    ...rightsOfStrangers(settings),
    { to: "read", topic: replyTopic, token, isMeant: true, problem: '"token" may not read "replyTopic"' },
    {
      to: "write",
      topic: replyTopic,
      token: replyToken,
      isMeant: true,
      problem: '"replyToken" may not write to "replyTopic"',
    },
    { to: "read", topic, token: replyToken, isMeant: false, problem: tooMuch },
    { to: "write", topic, token: replyToken, isMeant: false, problem: tooMuch },
  ]);
}

function rightsOfStrangers({ topic, replyTopic }: ReadyNtfy): Right[] {
  const noOne = { token: undefined, isMeant: false };
  return [
    { ...noOne, to: "read", topic, problem: `anyone can read "topic", ${inVain}` },
    { ...noOne, to: "write", topic: replyTopic, problem: `anyone can write to "replyTopic", ${inVain}` },
  ];
}

async function findProblem(
  settings: ReadyNtfy,
  tools: Tools,
  rights: readonly Right[],
): Promise<Failed | string | undefined> {
  const found = await Promise.all(rights.map((right) => tryRight(settings, tools, right)));
  return found.find((each) => each !== undefined);
}

/** ntfy refuses it; what is no ntfy may pass it on. */
export const checkText = "a check by hookbell";

async function tryRight(
  settings: ReadyNtfy,
  { http, signal }: Tools,
  { to, topic, token, isMeant, problem }: Right,
): Promise<Failed | string | undefined> {
  const isReading = to === "read";
  const answer = await http(
    {
      method: isReading ? "GET" : "POST",
      url: urlOf(settings, `/${topic?.reveal()}${isReading ? "/auth" : ""}`),
      isPlainHttpAllowed: settings.allowHttp,
      // The server looks at the right to write first, and then refuses this priority.
      headers: { ...withToken(token), ...(isReading ? {} : { priority: "none" }) },
      ...(isReading ? {} : { body: checkText }),
    },
    { timeoutMs, signal },
  );
  if ("failure" in answer) return failed(answer.failure, answer.detail);
  const { status } = answer;
  if (status === 429 || status >= 500) return failed("serverError", `answered ${status} to a check of the topics`);
  const isAllowed = status !== 401 && status !== 403;
  return isAllowed === isMeant ? undefined : problem;
}
