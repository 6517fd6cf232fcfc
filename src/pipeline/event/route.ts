// Route: which rules match, which channels they choose, and what the policies decide for each: send, defer or suppress.
import { isAskingEnd, isFrequent, isToolCall } from "../../model/event.ts";
import { publicName } from "../../sessions/public-words.ts";
import { isVerification, verificationWhy } from "../../model/own-events.ts";
import { selectDeliveries, type Selection } from "../../rules/apply/select.ts";
import { goodFile } from "../../rules/project-file.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { createDecideChannel } from "../decide/decide.ts";
import { whySubagentIsSuppressed } from "../understand/session.ts";
import { someOf, withFinding } from "../stages.ts";
import { type Decided, type Routed, suppress, type SuppressedReason, type Tracked } from "./context.ts";

export function route(given: Tracked, dispatcher: Dispatcher): Routed | Decided {
  const ignored = ignoredBy(given);
  if (ignored !== undefined) return ignore(withRouted(given, ignored.why), ignored, dispatcher);
  const { event, original, before, after, facts, projectFile } = given;
  const { rules } = dispatcher.rules();
  const project = goodFile(projectFile);
  const isAsked = rules.answers !== undefined && facts.isAsked === true;
  const circumstances = { session: after, presence: facts.presence, project, isAsked };
  const selection = selectDeliveries(rules, original, createDecideChannel(dispatcher, event, circumstances), project);
  const context = withRouted(given, ...findingsOf(selection));
  if (isVerification(event.session)) {
    const wouldReach = [
      ...selection.chosen.map(({ channel, rule, decision }) => ({
        channel: channel.name,
        rule: rule.name,
        ...(decision.action === "defer" ? { held: decision.why } : {}),
      })),
      ...selection.silent.flatMap(({ channel, rule, by, why }) =>
        channel === undefined || rule === undefined || by === undefined ? [] : [{ channel, rule, held: why }],
      ),
    ];
    const verified = suppressChannels(selection, verificationWhy);
    const reason = { by: "verification", why: verificationWhy, wouldReach } as const;
    return suppress(context, reason, { selection: verified, session: before, isHeeded: false });
  }
  if (isFrequent(event.name) && !isToolCall(event.name) && selection.chosen.length === 0) {
    return suppress(context, { by: "frequency" }, { selection, session: after, isHeeded: true });
  }
  return { ...context, circumstances, selection };
}

function ignore(
  context: Tracked,
  ignored: SuppressedReason & { by: "agent" | "subagent"; why: string },
  dispatcher: Dispatcher,
): Decided {
  const { event, after, seen, facts } = context;
  // What its agent says not to report may still end a turn or answer a question.
  const isHeeded =
    ignored.by === "subagent" ||
    event.wakes === true ||
    event.isAnswer === true ||
    event.name === "SubagentStart" ||
    event.means !== undefined ||
    facts.observed !== undefined;
  const { channels, rules } = dispatcher.rules().rules;
  const { why } = ignored;
  const selection = {
    rules: rules.map(({ name }) => ({ name, held: false, why: `not read: ${why}` })),
    chosen: [],
    steps: [],
    silent: Object.keys(channels).map((channel) => ({ channel, why })),
  };
  return suppress(context, ignored, { selection, session: isHeeded ? after : seen, isHeeded });
}

function withRouted(context: Tracked, ...found: string[]): Tracked {
  return { ...context, trace: withFinding(context.trace, "route", ...found) };
}

function findingsOf({ rules, chosen, silent }: Selection): string[] {
  const named = (action: "send" | "defer"): string[] =>
    chosen
      .filter((each) => each.decision.action === action)
      .map(({ channel, decision }) =>
        decision.action === "defer" ? `${channel.name} by ${publicName(decision.by)}` : channel.name,
      );
  const dropped = silent.flatMap(({ channel, by }) => (channel && by ? [`${channel} by ${publicName(by)}`] : []));
  const [sent, deferred] = [named("send"), named("defer")];
  return [
    `${rules.filter(({ held }) => held).length} of ${rules.length} rules match`,
    ...(sent.length > 0 ? [`to ${someOf(sent)}`] : []),
    ...(deferred.length > 0 ? [`deferred: ${someOf(deferred)}`] : []),
    ...(dropped.length > 0 ? [`suppressed: ${someOf(dropped)}`] : []),
  ];
}

function ignoredBy({
  reading,
  event,
  before,
}: Tracked): (SuppressedReason & { by: "agent" | "subagent"; why: string }) | undefined {
  if (reading.ignored !== undefined) return { by: "agent", why: reading.ignored };
  const isLoop = event.wakes === true && (before.stops ?? 0) > 0 && !isAskingEnd(event);
  if (isLoop) return { by: "agent", why: "it goes on by itself, and you were told of its first end" };
  const why = whySubagentIsSuppressed(event, before);
  return why === undefined ? undefined : { by: "subagent", why };
}

/** The same selection where these channels, or all, stay silent. */
export function suppressChannels(
  { rules, chosen, silent }: Selection,
  why: string,
  channels?: readonly string[],
): Selection {
  const isSilenced = ({ channel }: (typeof chosen)[number]): boolean => channels?.includes(channel.name) !== false;
  return {
    rules,
    chosen: chosen.filter((each) => !isSilenced(each)),
    steps: [],
    silent: [...chosen.filter(isSilenced).map(({ channel }) => ({ channel: channel.name, why })), ...silent],
  };
}
