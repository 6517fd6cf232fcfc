// A question, whole, with the buttons that answer it below all of its text.
import { useEffect, useId, useState } from "preact/hooks";
import type { OpenOnPage, PageButton, QuestionOnPage } from "../src/wings/page/contract.ts";
import { post } from "./connection.ts";
import { useNotify } from "./notice.tsx";
import { NotifiedLine } from "./notified-line.tsx";
import { ageOf, agoOf } from "./time.ts";

export function Question({ question, time }: { question: QuestionOnPage; time: number }) {
  const { at, words, notified, ended, whyClosed, open } = question;
  return (
    <article class="question">
      {open === undefined ? (
        <>
          <Asked at={at} time={time} title="Asks" />
          {words === undefined ? null : <pre class="asked">{words}</pre>}
          <p class="hint">
            {ended === undefined ? `Answer it in the agent's terminal. ${whyClosed ?? ""}` : `${capital(ended)}.`}
          </p>
        </>
      ) : (
        <Open open={open} at={at} time={time} />
      )}
      {notified === undefined ? null : <NotifiedLine notified={notified} time={time} />}
    </article>
  );
}

function Asked({ title, at, time }: { title: string; at: number; time: number }) {
  return (
    <h3>
      {title} <time class="age">{agoOf(time - at)}</time>
    </h3>
  );
}

function Open({ open, at, time }: { open: OpenOnPage; at: number; time: number }) {
  const notify = useNotify();
  const [words, setWords] = useState("");
  const [isSending, setIsSending] = useState(false);
  const isSettled = useSettled(open.id);
  const field = useId();
  const taker = open.buttons.find(({ takes }) => takes !== undefined);
  const press = async ({ nonce }: PageButton): Promise<void> => {
    setIsSending(true);
    const { text } = await post("/page/answers", { question: open.id, nonce, words });
    notify(text);
    setIsSending(false);
  };
  return (
    <>
      <Asked at={at} time={time} title={open.title} />
      <pre class="asked">{open.body}</pre>
      <dl>
        {open.fields.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {open.note === undefined ? null : <p class="hint">{capital(open.note)}.</p>}
      {taker === undefined ? null : (
        <div class="field">
          <label for={field}>{taker.takes === "reason" ? "Why not (optional)" : "Your answer"}</label>
          <textarea
            id={field}
            rows={taker.takes === "reason" ? 1 : 2}
            value={words}
            onInput={(event) => setWords(event.currentTarget.value)}
          />
        </div>
      )}
      {open.buttons.length === 0 ? (
        <p class="hint">
          This browser may not answer. Answer it in the agent's terminal, or pair the browser with: hookbell devices add
          --answer
        </p>
      ) : (
        <div class="buttons">
          {open.buttons.map((button) => (
            <button
              key={button.nonce}
              type="button"
              class={button.choice}
              disabled={isSending || !isSettled || (button.takes === "words" && words.trim() === "")}
              onClick={() => void press(button)}
            >
              {button.label}
            </button>
          ))}
        </div>
      )}
      {open.buttons.length === 0 ? null : (
        <p class="hint">{ageOf(Math.max(0, open.expiresAt - time))} left to answer here</p>
      )}
    </>
  );
}

const settleMs = 400;

/** False for a moment after the question came, so that a press meant for what was there before hits nothing. */
function useSettled(id: string): boolean {
  const [settled, setSettled] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setSettled(id), settleMs);
    return () => clearTimeout(timer);
  }, [id]);
  return settled === id;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
