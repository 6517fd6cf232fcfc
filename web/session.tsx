// One session: where it is, what it does, and what it asks.
import type { SessionOnPage } from "../src/wings/page/contract.ts";
import { useMemo } from "preact/hooks";
import { useNearScreen } from "./near-screen.ts";
import { Question } from "./question.tsx";
import { addressOf } from "./route.ts";
import { elementOf } from "./shown-session.ts";
import { NotifiedLine } from "./notified-line.tsx";
import { ageOf, clockTime, useNow } from "./time.ts";

/** What needs the person is always there in full. Of the others, those far from the screen are an empty place. */
export function Session({ session }: { session: SessionOnPage }) {
  const [place, { isNear, height }] = useNearScreen<HTMLLIElement>();
  const isDrawn = isNear || session.questions.length > 0;
  const drawn = useMemo(() => <Drawn session={session} />, [session]);
  return (
    <li
      ref={place}
      class={`session ${session.state}`}
      id={elementOf(session.id)}
      tabIndex={-1}
      style={isDrawn ? undefined : { height: `${height}px` }}
    >
      {isDrawn ? drawn : null}
    </li>
  );
}

function running(subagents: number): string {
  return subagents === 1 ? "1 subagent" : `${subagents} subagents`;
}

function Drawn({ session }: { session: SessionOnPage }) {
  const time = useNow();
  const { agent, place, branch, reason, words, toolSince, since, until, subagents, questions, notified } = session;
  const facts = [agent, branch, subagents > 0 ? running(subagents) : undefined].filter(Boolean).join(" · ");
  return (
    <>
      <div class="line">
        <strong class="place">{place === "" ? agent : place}</strong>
        <span class="facts">{facts}</span>
        <span class="age">
          {questions.length > 0 ? null : <time>{ageOf(time - since)} </time>}
          <a href={addressOf({ tab: "why", session: session.id })} aria-label={`Why: ${place}`}>
            Why
          </a>
        </span>
      </div>
      {questions.map((question) => (
        <Question key={question.event} question={question} time={time} />
      ))}
      {questions.length > 0 ? null : (
        <p class="words">
          {words ?? reason}
          {toolSince === undefined ? null : `, ${ageOf(time - toolSince)}`}
          {until === undefined ? null : ` It resets at ${clockTime(until)}.`}
        </p>
      )}
      {questions.length > 0 || notified === undefined ? null : <NotifiedLine notified={notified} time={time} />}
    </>
  );
}
