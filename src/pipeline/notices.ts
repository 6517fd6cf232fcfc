// Tells the user once about hookbell itself, such as a mistake in the rules file.
import { typedWord } from "../model/places/user-shell.ts";
import { join } from "node:path";
import * as z from "zod";
import { describePayloadProblem, type PayloadReading } from "../agents/read-payload.ts";
import { agentName, findAgent } from "../agents/index.ts";
import { isKnownEvent } from "../agents/known-events.ts";
import type { Delivery } from "../model/delivery.ts";
import type { AgentEvent } from "../model/event.ts";
import { maskText } from "../model/privacy/originals.ts";
import {
  hookChanged,
  isHookChanged,
  noticeEventName,
  noticeIdPrefix,
  noticeSession,
  ownNotice,
  rulesChanged,
} from "../model/own-events.ts";
import { limitContent, summaryLength } from "../model/privacy/content.ts";
import { cut } from "../model/text.ts";
import { scrub } from "../model/privacy/scrub.ts";
import { deliveryFileName, newDelivery, writeDelivery, type DeliveryFile } from "../outbox/deliveries/deliveries.ts";
import { type Endpoint, readEndpoint } from "../outbox/endpoints.ts";
import { writeJournal } from "../outbox/journal.ts";
import type { EndedStuck } from "../outbox/stuck/left-out.ts";
import { showProblems } from "../rules/problems/show.ts";
import { projectFileName, type ProjectFileReading } from "../rules/project-file.ts";
import type { Channel } from "../rules/rules.ts";
import { sha256 } from "../system/crypto.ts";
import { findDistrust } from "../system/files/inspect-path.ts";
import { readJson } from "../system/files/read.ts";
import { writeWholeSoon } from "../system/files/write.ts";
import { uniqueName } from "../system/files/files.ts";
import type { Outdated } from "../policies/answered.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { attempt, readyChannel } from "./channel/call-channel.ts";
import { breakerThreshold } from "./channel/endpoint-policy.ts";
import { headlineOf } from "../rules/apply/default-text.ts";
import { questionChannels } from "../rules/apply/match.ts";

const applies = {
  file: "The rules file applies.",
  lastGood: "The last valid rules still apply.",
  builtIn: "The built-in rules apply until it is fixed.",
};

export function notifyBrokenRules(dispatcher: Dispatcher): DeliveryFile[] {
  const { problems, text, origin } = dispatcher.rules();
  const [first] = problems;
  if (first === undefined) return [];
  const digest = sha256(`${text}\n${first.message}`);
  const [where = ""] = showProblems([first], { text, file: "rules.jsonc", isColor: false }).split("\n");
  const others = problems.length > 1 ? ` (and ${problems.length - 1} more)` : "";
  return notifyPerson(dispatcher, `${rulesFile} ${digest}`, {
    about: rulesFile,
    title: "hookbell: the rules file has a mistake",
    body: `${where}${others}. ${applies[origin]} Run hookbell check to see every problem.`,
    plain: { title: "hookbell: the rules file has a mistake", body: "hookbell check shows where." },
  });
}

/** Call it when the rules are good. Returns what the notices of a mistake in them still show. */
export function withdrawBrokenRules(dispatcher: Dispatcher): Outdated[] {
  return withdraw(dispatcher, rulesFile, "the rules file is valid again");
}

/** The file's text is untrusted, so the notice quotes none of it. */
export function notifyBrokenProjectFile(
  dispatcher: Dispatcher,
  reading: ProjectFileReading | undefined,
): DeliveryFile[] {
  if (reading?.status !== "broken") return [];
  const { path, text, problems } = reading;
  const title = "hookbell: a repository's file has a mistake";
  return notifyPerson(dispatcher, `${projectFileAt(path)} ${sha256(`${text}\n${problems[0]?.message ?? ""}`)}`, {
    about: projectFileAt(path),
    title,
    body: `${path} is ignored; your own rules apply. hookbell check ${typedWord(path)} shows why.`,
    plain: { title, body: "hookbell check shows where." },
  });
}

/** What the notices of a mistake in a repository's file still show, though it has none any more. */
export function withdrawBrokenProjectFile(dispatcher: Dispatcher, reading: ProjectFileReading | undefined): Outdated[] {
  if (reading?.status !== "good") return [];
  return withdraw(dispatcher, projectFileAt(reading.file.path), "the repository's file is valid again");
}

const projectFileAt = (path: string): string => `project ${path}`;

export function notifyOpenState(dispatcher: Dispatcher): DeliveryFile[] {
  const distrust = findDistrust(dispatcher.layout.incoming);
  if (distrust === undefined) return [];
  const { path, why, fix } = distrust;
  return notifyPerson(dispatcher, `open ${path} ${why}`, {
    title: "hookbell: other users can change its files",
    body: `${path} ${why}; they decide what hookbell sends and runs. To fix it: ${fix}`,
    plain: { title: "hookbell: other users can change its files", body: "hookbell doctor says which." },
  });
}

/** The user is notified once of a problem, but of each question: someone waits for its answer. `file` names the payload. */
export function notifyRejectedPayload(
  dispatcher: Dispatcher,
  { agentId, eventName, problems, mayAsk }: PayloadReading & { status: "invalid" },
  file: string,
): DeliveryFile[] {
  const [first] = problems;
  if (first === undefined) return [];
  const fault = [agentId, eventName, ...problems.map(({ field, expected }) => `${field} ${expected}`)].join("\n");
  const others = problems.length > 1 ? ` (and ${problems.length - 1} more)` : "";
  const body = `${describePayloadProblem(first, eventName)}${others}. The payload is in ${dispatcher.layout.rejected}.`;
  if (mayAsk) {
    const title = `hookbell: ${agentName(agentId)} may wait for you`;
    return notifyPerson(dispatcher, `rejected ${sha256(`${fault}\n${file}`)}`, {
      title,
      body: `Look at its terminal: the payload of its question did not validate. ${body}`,
      plain: { title, body: "Look at its terminal. hookbell log --failed says why." },
    });
  }
  return notifyPerson(dispatcher, `rejected ${sha256(fault)}`, {
    title: `hookbell: a payload of ${agentName(agentId)} did not validate`,
    body: `${body} You will not be notified of this problem again.`,
    plain: { title: "hookbell: a payload did not validate", body: "hookbell log --failed says why." },
  });
}

const soundsLikeQuestion = /permission|approv|question|ask|elicit|confirm|input/i;

/** Once for each name: an event that hookbell does not know may be a question, and no rule waits for it. */
export function notifyUnknownQuestion(
  dispatcher: Dispatcher,
  { agent, name }: Pick<AgentEvent, "agent" | "name">,
): DeliveryFile[] {
  const isOfKnownAgent = agent !== "generic" && findAgent(agent) !== undefined;
  if (!isOfKnownAgent || isKnownEvent(name) || !soundsLikeQuestion.test(name)) return [];
  const by = agentName(agent);
  const title = `hookbell: ${by} may ask you something`;
  return notifyPerson(dispatcher, `unknown ${agent} ${name}`, {
    title,
    body: `It sent an event that hookbell does not know: ${cut(name, 60)}. Look at its terminal. A rule can name this event; you will not be notified of this name again.`,
    plain: { title, body: "It sent an event that hookbell does not know. hookbell doctor says which." },
  });
}

/**
 * What an agent will run is told also where no rule sends it to people in hookbell's words: who writes the rules could silence it. That
 * the rules have changed is always told on the desktop, as without a rules file: no mute, no quiet hours and no settings of theirs count.
 */
export function notifyUnroutedHook(
  dispatcher: Dispatcher,
  event: AgentEvent,
  planned: readonly DeliveryFile[],
): DeliveryFile[] {
  if (!isHookChanged(event)) return [];
  const { channels, rules, builtInDesktop } = dispatcher.rules().rules;
  const isOfRules = event.reason === rulesChanged;
  const isTold = ({ delivery: { channel: name, rule, hold } }: DeliveryFile): boolean => {
    const { title, body } = rules.find((each) => each.name === rule) ?? {};
    const channel = channels[name];
    const isFit = isOfRules
      ? channel !== undefined && channel.fingerprint === builtInDesktop?.fingerprint && hold === undefined
      : channel?.channelType.isForPrograms !== true;
    return isFit && title === undefined && body === undefined;
  };
  if (planned.some(isTold)) return [];
  const { session, project, level, message = "", ownWords } = event;
  const { summary = "", none = "hookbell hooks --new lists it." } = ownWords ?? {};
  const plain = { title: "hookbell: what agents run has changed", body: none };
  const title = `${project}: ${headlineOf(event, level) ?? hookChanged}`;
  return notifyPerson(dispatcher, session, {
    title,
    body: message,
    summary,
    plain,
    of: event,
    isOnBuiltInDesktop: isOfRules,
  });
}

/** What it names is untrusted: a payload by its file's name, and a file by its path. */
export function notifyEndedStuck(dispatcher: Dispatcher, { work, file, isGivenUp }: EndedStuck): DeliveryFile[] {
  const title = "hookbell: its dispatcher hung, and another one goes on";
  const plain = { title, body: "hookbell log says at what." };
  if (isGivenUp) {
    const body = `It hung twice with ${work}, which is now in ${dispatcher.layout.rejected}, and you are not notified of it.`;
    return notifyPerson(dispatcher, `given up ${work}`, { title, body, plain });
  }
  // Other notices tell of these two as of broken files.
  if (file === dispatcher.rulesFile || file?.endsWith(`/${projectFileName}`)) return [];
  const where = file ?? work;
  const then = file === undefined ? "It is tried once more." : "hookbell leaves the file out until it changes.";
  const body = where === undefined ? "What it was at is not known." : `It was at ${where}. ${then}`;
  return notifyPerson(dispatcher, `stuck ${where}`, { title, body, plain });
}

interface Notice {
  title: string;
  body: string;
  /** The body for a channel that shows a summary, where its beginning is none. */
  summary?: string;
  /** The words for a channel that may quote nothing. */
  plain: { title: string; body: string };
  /** The channel that the notice is about does not show it. */
  ofChannel?: string;
  /** The event that it tells of, whose messages are then the notice's. */
  of?: AgentEvent;
  /** The rules' own desktop does not count. */
  isOnBuiltInDesktop?: boolean;
  /** What may be put right, after which the notice is withdrawn; its key begins with it. */
  about?: string;
}

const rulesFile = "rules";

const maxNotices = 200;
const noticesSchema = z.lazy(() => z.array(z.string()));
const noticesPath = ({ layout }: Dispatcher): string => join(layout.root, "notices.json");

/** Forgets the notices about it, so that the same mistake is told again when it is made again. */
function withdraw(dispatcher: Dispatcher, about: string, why: string): Outdated[] {
  const earlier = readJson(noticesPath(dispatcher), noticesSchema) ?? [];
  const others = earlier.filter((key) => !key.startsWith(maskText(`${about} `)));
  if (others.length === earlier.length) return [];
  writeWholeSoon(noticesPath(dispatcher), JSON.stringify(others));
  const notice = { title: `hookbell: ${why}`, body: "", plain: { title: "", body: "" }, about };
  const event = noticeEvent(dispatcher, `${about} ${why} ${dispatcher.tools.clock.now()}`, notice);
  return [{ event, retraction: { why, isAnswer: true }, isMeant: () => true }];
}

/** Once for each key: on the desktop, or the next channel that can. Returns what it added. */
export function notifyPerson(dispatcher: Dispatcher, key: string, notice: Notice): DeliveryFile[] {
  const { layout, tools } = dispatcher;
  const path = noticesPath(dispatcher);
  // A torn file costs one repeated notice.
  const earlier = readJson(path, noticesSchema) ?? [];
  if (earlier.includes(maskText(key))) return [];
  const now = tools.clock.now();
  const [channel, ...instead] = channelsFor(dispatcher, notice);
  if (channel === undefined) return [];
  const event = notice.of ?? noticeEvent(dispatcher, `${key}\n${now}`, notice);
  const delivery = {
    ...noticeFor(channel, event, notice, now),
    fallback: instead.map((other) => ({ channel: other.name, ...wordsFor(other, event, notice) })),
  };
  const file = deliveryFileName(uniqueName(now), 0, delivery.id);
  writeDelivery(layout, "outbox", file, delivery);
  // A crash in between repeats the notice, which is better than losing it.
  writeWholeSoon(path, JSON.stringify([...earlier, maskText(key)].slice(-maxNotices)));
  const { title, body, of } = notice;
  const told = { title: maskText(title), body: maskText(body), channel: channel.name, event: of?.id };
  writeJournal(layout, now, { kind: "notice", ...told });
  return [{ file, delivery }];
}

/** Where no file can be written: sends to one channel after the other until one takes it, and keeps nothing. */
export async function notifyWithoutDisk(dispatcher: Dispatcher, notice: Notice): Promise<void> {
  const now = dispatcher.tools.clock.now();
  const event = noticeEvent(dispatcher, `${notice.title}\n${now}`, notice);
  for (const channel of channelsFor(dispatcher, notice)) {
    const ready = await readyChannel(dispatcher, channel);
    if ("failure" in ready) continue;
    const { status } = await attempt(noticeFor(channel, event, notice, now), channel, ready, {});
    if (status === "delivered") return;
  }
}

/** The desktop first. */
function channelsFor(dispatcher: Dispatcher, { ofChannel, isOnBuiltInDesktop }: Notice): Channel[] {
  const { rules } = dispatcher.rules();
  const own =
    isOnBuiltInDesktop === true
      ? undefined
      : Object.values(rules.channels).find((channel) => channel.type === "desktop");
  const desktop = own ?? rules.builtInDesktop;
  const others = noticeChannels(dispatcher, ofChannel);
  if (desktop === undefined) return others;
  if (own === undefined || own.name !== ofChannel) return [desktop, ...others];
  return others.length > 0 ? others : [desktop];
}

/** `seed` makes its id. */
function noticeEvent({ layout, tools, host }: Dispatcher, seed: string, { title, body, about }: Notice): AgentEvent {
  return {
    id: `${noticeIdPrefix}${sha256(seed).slice(0, 18)}`,
    name: noticeEventName,
    agent: "hookbell",
    session: noticeSession(about === undefined ? undefined : sha256(about).slice(0, 12)),
    cwd: layout.root,
    project: "hookbell",
    host,
    at: new Date(tools.clock.now()).toISOString(),
    level: "attention",
    message: body,
    title,
  };
}

function noticeFor(channel: Channel, event: AgentEvent, notice: Notice, nowMs: number): Delivery {
  return newDelivery(nowMs, {
    kind: "notice",
    channel: channel.name,
    rule: ownNotice,
    ...wordsFor(channel, event, notice),
    expiresAt: nowMs + channel.expiresAfterMs,
  });
}

/** A notice may quote a file, a payload or a receiver's answer. */
function wordsFor(
  { content, scrub: isScrubbed, channelType }: Channel,
  event: AgentEvent,
  notice: Notice,
): Pick<Delivery, "event" | "message"> {
  const { title, body: whole } = content === "none" ? notice.plain : notice;
  const body = content === "summary" || channelType.isShort === true ? (notice.summary ?? whole) : whole;
  const say = (text: string): string => {
    const clean = isScrubbed ? scrub(text).text : text;
    return content === "summary" ? cut(clean, summaryLength) : clean;
  };
  const said = { title: say(title), body: say(body) };
  const told = limitContent({ ...event, title: said.title, message: said.body }, content);
  return { event: told, message: { ...said, level: event.level, fields: [] } };
}

const maxChannels = 4;

/** The channels for questions come first, troubled ones last. */
function noticeChannels({ rules, layout }: Dispatcher, subject: string | undefined): Channel[] {
  const { channels, rules: all } = rules().rules;
  const names = new Set([...questionChannels(all), ...Object.keys(channels)]);
  const usable = [...names].flatMap((name) => {
    const channel = channels[name];
    if (channel === undefined || name === subject || channel.type === "desktop") return [];
    if (channel.channelType.isUnfitForNotices === true) return [];
    const endpoint = readEndpoint(layout, name);
    if (endpoint.switchedOff?.fingerprint === channel.fingerprint) return [];
    return [{ channel, isTroubled: isTroubled(endpoint) }];
  });
  const sorted = [...usable.filter((each) => !each.isTroubled), ...usable.filter((each) => each.isTroubled)];
  return sorted.slice(0, maxChannels).map(({ channel }) => channel);
}

function isTroubled({ breaker, missingSecret }: Endpoint): boolean {
  return missingSecret !== undefined || (breaker?.failures ?? 0) >= breakerThreshold;
}
