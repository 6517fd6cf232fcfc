// `doctor` on answers: who may answer through each channel, and whether its listener works. Asks no service.
import { listListeners, type ListenerState } from "../../answers/listener-state.ts";
import { sendersOf } from "../../answers/senders.ts";
import type { Dispatcher } from "../../dispatch/dispatcher.ts";
import { formatDuration } from "../../model/figures/duration.ts";
import { shellWord } from "../../model/shell-word.ts";
import { findLeaseHolder } from "../../outbox/lease.ts";
import type { Channel } from "../../rules/rules.ts";
import type { Finding } from "../console/finding.ts";

/** Empty if no channel takes answers over a connection. */
export function examineAnswers({ layout, rules, tools }: Dispatcher): Finding[] {
  const { answers, channels } = rules().rules;
  if (answers === undefined) return Object.values(channels).flatMap(answersAreOff);
  const now = tools.clock.now();
  const isRunning = findLeaseHolder(layout, now) !== undefined;
  const states = listListeners(layout);
  return Object.values(channels).flatMap(({ name, type, channelType, answers: isAsked }): Finding[] => {
    const transport = channelType.answers;
    if (!isAsked || transport?.listen === undefined) return [];
    const area = "channels";
    const about = `${name} (${type}), answers`;
    if (transport.namesSender && sendersOf(layout, name, type).length === 0) {
      const command = `hookbell channels pair ${shellWord(name)}`;
      return [{ area, status: "warning", text: `${about}: no account may answer yet`, command }];
    }
    const state = states.find((each) => each.channel === name && each.type === type);
    const text = `${about}: ${describe(state, isRunning, now)}`;
    if (state?.what !== "failed") return [{ area, status: "ok", text }];
    const fix = "until that is fixed, answer at the terminal or in a shell:";
    return [{ area, status: "warning", text, fix, command: "hookbell pending" }];
  });
}

function answersAreOff({ name, type, answers }: Channel): Finding[] {
  if (!answers) return [];
  const text = `${name} (${type}): "answers": true does nothing, because the rules file has no "answers"`;
  const fix = 'add "answers": {} beside "channels", as in docs/ANSWERS.md, then:';
  return [{ area: "channels", status: "warning", text, fix, command: "hookbell init" }];
}

function describe(state: ListenerState | undefined, isRunning: boolean, now: number): string {
  if (state === undefined) return "it listens while a question is open; there has been none yet";
  const ago = `${formatDuration(Math.max(0, now - state.at))} ago`;
  if (state.what === "failed") return `listening failed ${ago}: ${state.why ?? ""}`;
  return state.what === "listens" && isRunning ? "it is listening" : `it listens while a question is open, last ${ago}`;
}
