// Everything that was recorded of one event, with the reason of each rule.
import { useEffect, useRef, useState } from "preact/hooks";
import type { JournalDetail } from "../src/wings/page/contract.ts";
import { get } from "./connection.ts";
import { ReasonsOfRules, RuleTester } from "./rule-tester.tsx";
import { dayAndTime } from "./time.ts";

export function EventDetail({ file, event, onClose }: { file: string; event: string; onClose: () => void }) {
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
        <h2>Why</h2>
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
      {problem === "" ? null : <p role="alert">{problem}</p>}
      {detail === undefined ? null : (
        <p>
          <b>{detail.headline}</b>
        </p>
      )}
      <ol>
        {detail?.lines.map((line, index) => (
          <li key={index} class={line.isBad === true ? "isBad" : undefined}>
            <time>{dayAndTime(line.at)}</time> <b>{line.kind}</b> {line.text}
            {line.reasons === undefined ? null : <ReasonsOfRules reasons={line.reasons} />}
          </li>
        ))}
      </ol>
      {first === undefined ? null : <RuleTester file={first.file} event={event} at={first.at} />}
    </dialog>
  );
}
