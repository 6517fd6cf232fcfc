// The story of one event in order, with the reason of each rule, and the rule tester beside it.
import { useEffect, useRef, useState } from "preact/hooks";
import type { JournalDetail, JournalRow } from "../src/wings/page/contract.ts";
import { get } from "./connection.ts";
import { kindOf } from "./kinds.ts";
import { capital, outcomeOf } from "./notified-line.tsx";
import { addressOf } from "./route.ts";
import { ReasonsOfRules, RuleTester } from "./rule-tester.tsx";
import { dayAndTime, withTimes } from "./time.ts";

export function EventDetail(props: { row: JournalRow; event: string; canTryRules: boolean; onClose: () => void }) {
  const { row, event, canTryRules, onClose } = props;
  const { file } = row;
  const dialog = useRef<HTMLDialogElement>(null);
  const [detail, setDetail] = useState<JournalDetail>();
  const [problem, setProblem] = useState("");
  useEffect(() => {
    dialog.current?.showModal();
    get<JournalDetail>(`/page/journal/${encodeURIComponent(file)}/${encodeURIComponent(event)}`).then(
      setDetail,
      (error: unknown) => setProblem((error as Error).message),
    );
  }, [file, event]);
  const first = detail?.lines.find(({ kind }) => kind === "event");
  return (
    <dialog ref={dialog} aria-label="Why" onClose={onClose}>
      <div class="line">
        <h2>
          {row.place} <span class="facts">{kindOf(row.kind)}</span>
        </h2>
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
      {problem === "" ? null : <p role="alert">{problem}</p>}
      {detail?.notified === undefined ? null : (
        <p>
          <b>{capital(withTimes(outcomeOf(detail.notified)))}</b>
        </p>
      )}
      <div class="story">
        <ol aria-label="What happened, in order">
          {detail?.lines.map((line, index) => (
            <li key={index} class={line.isBad === true ? "isBad" : undefined}>
              <time>{dayAndTime(line.at)}</time> <b>{line.kind}</b> {withTimes(line.text)}
              {line.reasons === undefined ? null : <ReasonsOfRules reasons={line.reasons} />}
            </li>
          ))}
        </ol>
        {first === undefined ? null : (
          <div>
            <RuleTester file={first.file} event={event} at={first.at} />
            {canTryRules ? (
              <p class="hint">
                Other rules, over many days: <a href={addressOf({ tab: "what-if", session: undefined })}>What if</a>
              </p>
            ) : null}
          </div>
        )}
      </div>
    </dialog>
  );
}
