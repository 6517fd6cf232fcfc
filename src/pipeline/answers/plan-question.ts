// What a hook that may wait asks the person; or why it does not wait.
import type { AgentQuestion, HookEnvironment, Payload } from "../../agents/dialect/agent.ts";
import { isOfSubagent } from "../../agents/dialect/values.ts";
import { isOnList, sessionSuggestion } from "../../answers/allow-list.ts";
import { agentAmong } from "../../answers/asker.ts";
import { textOfCall, textOfFields } from "../../answers/card/card.ts";
import { canAnswerOnPage } from "../../answers/browsers/open-page.ts";
import { digestOf, sealOf, type Question } from "../../answers/questions.ts";
import { scrub } from "../../model/privacy/scrub.ts";
import type { Layout } from "../../outbox/layout.ts";
import { maskText } from "../../model/privacy/originals.ts";
import { readSession } from "../../outbox/sessions.ts";
import { type AgentEvent, isAskingEvent, repeatsQuestion } from "../../model/event.ts";
import type { Rules } from "../../rules/rules.ts";
import type { Clock } from "../../system/clock.ts";
import { findWorkTree } from "../../system/files/git.ts";
import type { ObservedPresence } from "../../system/presence/probe.ts";
import { ownAncestry, hostName, ownPid } from "../../system/process/identity.ts";
import { isReviewed } from "../understand/transcript.ts";
import type { ValidReading } from "../understand/reading.ts";
import { longestHoldMs } from "../../rules/schema/answers.ts";
import { asksElsewhere } from "../../rules/schema/wing-parts.ts";
import { withFolder } from "../understand/folder.ts";
import { withSafeIds } from "../understand/safe-ids.ts";
import { routesOf, type Surroundings } from "./route.ts";
import { textOf } from "../../model/json.ts";

/** The question, or why the hook does not wait: without `asked`, no one expects it to. */
export type PlannedQuestion =
  | { question: Question; asked: AgentQuestion }
  | { why: string; asked?: AgentQuestion | undefined };

/** Writes nothing, so that `explain` says what the hook would do. */
export async function planQuestion(
  id: string,
  told: ValidReading,
  rules: Rules,
  layout: Layout,
  { env, clock, places }: { env: HookEnvironment; clock: Pick<Clock, "now">; places: Omit<Surroundings, "env"> },
  observe: () => Promise<ObservedPresence>,
  remoteHost?: string,
): Promise<PlannedQuestion> {
  const reading = withFolder(withSafeIds(told), layout, remoteHost === undefined ? [ownPid] : []);
  const { agent, eventName, usual: payload, isShortened } = reading;
  const settings = rules.answers;
  const isOnPage = settings !== undefined && canAnswerOnPage(layout);
  const hasChannel = isOnPage || asksElsewhere(rules) || Object.values(rules.channels).some(({ answers }) => answers);
  const asked = agent.asks?.(eventName, payload, env);
  const { stops = 0 } = readSession(layout, reading.agentId, textOf(payload.session_id) ?? "");
  const why = await whyNotToWait(
    { asked, payload, isReviewed: isReviewed(reading), isShortened, settings, hasChannel, stops },
    observe,
  );
  if (settings === undefined || asked === undefined) return { why: why ?? "" };
  if (why !== undefined) return { why, asked };
  const routes = routesOf(rules.channels, { ...places, env });
  const question = questionOf(id, reading, asked, settings, {
    home: places.home,
    nowMs: clock.now(),
    routes,
    isOnPage,
    // The processes that ask are those of another machine.
    ...(remoteHost === undefined
      ? { host: hostName(), asker: agentAmong(ownAncestry().slice(1)) }
      : { host: remoteHost, isElsewhere: true, asker: [] }),
  });
  return { question, asked };
}

function questionOf(
  id: string,
  { agentId, usual: payload, isAllowable }: ValidReading,
  { kind, subject, input, text, fields, showsDialog, takesSuggestion }: AgentQuestion,
  { allow, holdForMs }: NonNullable<Rules["answers"]>,
  {
    home,
    nowMs,
    routes,
    isOnPage,
    host,
    isElsewhere,
    asker,
  }: { home: string; nowMs: number } & Pick<Question, "routes" | "isOnPage" | "host" | "isElsewhere" | "asker">,
): Question {
  const bound = {
    tool: subject,
    session: textOf(payload.session_id) ?? "",
    cwd: textOf(payload.cwd) ?? "",
    host,
  };
  const branch = findWorkTree(bound.cwd, home)?.branch;
  const shown = kind === "permission" ? textOfCall(input) : textOfFields(text, fields);
  const question = {
    id,
    agent: agentId,
    kind,
    fields,
    tool: maskText(bound.tool),
    session: bound.session,
    cwd: maskText(bound.cwd),
    host,
    isElsewhere,
    branch: branch && maskText(branch),
    text: shown.text,
    // A card masks a credential in these, too.
    isWhole: shown.isWhole && scrub([subject, bound.cwd, branch ?? ""].join("\n")).found.length === 0,
    isAllowable: kind === "permission" && isAllowable && isOnList(allow, subject, input),
    isOnPage: isOnPage === true ? true : undefined,
    forSession: takesSuggestion && isAllowable ? sessionSuggestion(allow, payload.permission_suggestions) : undefined,
    digest: digestOf({ ...bound, input: kind === "permission" ? input : { text, fields } }),
    askedAt: nowMs,
    ...(showsDialog ? { showsDialog } : {}),
    ...(isAllowable ? {} : { isOdd: true }),
    expiresAt: nowMs + (showsDialog ? longestHoldMs : holdForMs),
    pid: ownPid,
    asker,
    routes,
    nonces: [],
    shown: [],
  };
  // The question as it is read back from its file, without undefined members.
  const written = JSON.parse(JSON.stringify(question)) as Omit<Question, "seal">;
  return { ...written, seal: sealOf(written) };
}

/** The user is away without any input for so long. */
const awayAfterMs = 60_000;

const noHookWaits = "no hook waits for an answer: hookbell doctor";
const cannotTell = "hookbell cannot tell whether you are away, and its hook waits only then";
const onlyWhileAway = "its hook waits only while you are away";

interface Waiting {
  asked: Pick<AgentQuestion, "kind" | "showsDialog">;
  payload: Payload;
  /** The agent's own reviewer decides first. */
  isReviewed?: boolean;
  /** No channel could show all that is asked. */
  isShortened?: true | undefined;
  settings: Pick<NonNullable<Rules["answers"]>, "hold" | "nextPrompt"> | undefined;
  hasChannel: boolean;
  /** Ends of turns since the person's last prompt at the terminal. */
  stops: number;
}

/** Why the hook does not wait; undefined when it does. `observe` is asked last, since it takes time. */
export async function whyNotToWait(
  given: Omit<Waiting, "asked"> & { asked: Waiting["asked"] | undefined },
  observe: () => Promise<ObservedPresence>,
): Promise<string | undefined> {
  const { asked } = given;
  if (asked === undefined) return "this agent takes no answer here";
  const why = whyNever({ ...given, asked });
  // Where the terminal asks as well, waiting does no harm, and the user may leave in a moment.
  if (why !== undefined || asked.showsDialog) return why;
  const presence = await observe();
  if (isAway(presence)) return undefined;
  return presence.idleMs === undefined ? cannotTell : onlyWhileAway;
}

/** Why it does not wait, wherever the user is. */
function whyNever(given: Waiting): string | undefined {
  const { asked, payload, isShortened, settings, hasChannel, stops } = given;
  if (settings === undefined) return '"answers" is not switched on';
  if (settings.hold === "never") return '"answers.hold" is "never"';
  if (asked.kind === "prompt" && stops >= (settings.nextPrompt ?? 0)) {
    return settings.nextPrompt === undefined
      ? '"answers.nextPrompt" is not set'
      : "the limit of prompts in a row is reached";
  }
  if (isShortened === true) return "the payload is too long to be shown whole";
  if (given.isReviewed === true) return "the agent's own reviewer decides first";
  if (!hasChannel) return 'no channel has "answers": true';
  if (payload.permission_mode === "bypassPermissions") return "the agent needs no permission in this mode";
  // A subagent's question would be silent in its terminal until the hook ends.
  return isOfSubagent(payload) ? "a subagent asks, and its terminal would show nothing meanwhile" : undefined;
}

/** Why a question has no buttons that no hook waits for; undefined without answers, and where it asks for no answer. */
export function whyNoButtons(
  { agent, eventName, usual: payload, isShortened }: ValidReading,
  event: AgentEvent,
  settings: Rules["answers"],
  presence: Pick<ObservedPresence, "idleMs" | "isLocked"> | undefined,
): string | undefined {
  if (settings === undefined || !(isAskingEvent(event) || repeatsQuestion(event))) return undefined;
  const asked = agent.asks?.(eventName, payload, {});
  if (asked === undefined) {
    // Only a reminder came: the question's hook is not installed, or the agent did not run it.
    const isReminderOfOne = agent.asks !== undefined && repeatsQuestion(event);
    return isReminderOfOne ? noHookWaits : `${agent.name} takes no answer from elsewhere here`;
  }
  const why = whyNever({ asked, payload, isShortened, settings, hasChannel: true, stops: 0 });
  if (why !== undefined || asked.showsDialog) return why ?? noHookWaits;
  // A hook that waits while the user is away would wait now, so it is an older one.
  if (isAway(presence)) return noHookWaits;
  return presence !== undefined && presence.idleMs === undefined ? cannotTell : onlyWhileAway;
}

function isAway(presence: Pick<ObservedPresence, "idleMs" | "isLocked"> | undefined): boolean {
  return presence?.isLocked === true || (presence?.idleMs ?? 0) >= awayAfterMs;
}
