// One session: where it is, what it does, and what it asks.
import type { SessionOnPage } from "../src/commands/page/contract.ts";
import { Question } from "./question.tsx";
import { addressOf } from "./route.ts";
import { elementOf } from "./shown-session.ts";
import { ToldLine } from "./told-line.tsx";
import { ageOf, clockTime } from "./time.ts";

export function Session({ session, time }: { session: SessionOnPage; time: number }) {
  const { agent, place, branch, reason, words, toolSince, since, until, helpers, questions, told } = session;
  const facts = [agent, branch, helpers > 0 ? `${helpers} helpers` : undefined].filter(Boolean).join(" · ");
  return (
    <li class={`session ${session.state}`} id={elementOf(session.id)} tabIndex={-1}>
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
      {questions.length > 0 || told === undefined ? null : <ToldLine told={told} time={time} />}
    </li>
  );
}
