// A question, whole, with the buttons that answer it below all of its text.
import { useEffect, useState } from "preact/hooks";
import type { OpenOnPage, PageButton, QuestionOnPage } from "../src/wings/page/contract.ts";
import { post } from "./connection.ts";
import { useNotify } from "./notice.tsx";
import { capital, NotifiedLine } from "./notified-line.tsx";
import { agoOf, leftOf } from "./time.ts";

export function Question({ question, time }: { question: QuestionOnPage; time: number }) {
  const { at, words, notified, ended, whyClosed, open } = question;
  const left = open === undefined ? "" : ` · ${leftOf(open.expiresAt - time)} left`;
  return (
    <article class="question">
      <h3>
        {open?.title ?? "Asks"}{" "}
        <span class="age">
          {agoOf(time - at)}
          {left}
        </span>
      </h3>
      {open === undefined ? (
        <>
          {words === undefined ? null : <pre class="asked">{words}</pre>}
          <p class="hint">
            {ended === undefined ? `Answer it in the agent's terminal. ${whyClosed ?? ""}` : `${capital(ended)}.`}
          </p>
        </>
      ) : (
        <Open open={open} />
      )}
      {notified === undefined ? null : <NotifiedLine notified={notified} time={time} />}
    </article>
  );
}

function Open({ open: { id, body, fields, note, buttons } }: { open: OpenOnPage }) {
  const notify = useNotify();
  const [words, setWords] = useState("");
  const [isSending, setIsSending] = useState(false);
  const isSettled = useSettled(id);
  const isOff = isSending || !isSettled;
  const taker = buttons.find(({ takes }) => takes !== undefined);
  const choices = buttons.filter(({ takes }) => takes !== "words");
  const press = async ({ nonce }: PageButton): Promise<void> => {
    setIsSending(true);
    const { text } = await post("/page/answers", { question: id, nonce, words });
    notify(text);
    setIsSending(false);
  };
  const isReply = taker?.takes === "words";
  const writing =
    taker === undefined ? null : (
      <form
        class="writing"
        onSubmit={(event) => {
          event.preventDefault();
          void press(taker);
        }}
      >
        <textarea
          rows={2}
          aria-label={isReply ? "Your answer" : "Why not"}
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
        <button type="submit" disabled={isOff || words.trim() === ""}>
          {isReply ? taker.label : "Deny with this reason"}
        </button>
      </form>
    );
  return (
    <>
      <pre class="asked">{body}</pre>
      {fields.length === 0 ? null : (
        <dl>
          {fields.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {note === undefined ? null : <p class="hint">{capital(note)}.</p>}
      {buttons.length > 0 ? null : (
        <p class="hint">
          This browser may not answer. Answer it in the agent's terminal, or pair the browser with: hookbell devices add
          --answer
        </p>
      )}
      {choices.length === 0 ? (
        writing
      ) : (
        <>
          <div class="buttons">
            {choices.map((button) => (
              <button
                key={button.nonce}
                type="button"
                class={button.choice}
                disabled={isOff}
                onClick={() => void press(button)}
              >
                {button.label}
                {button.description === undefined ? null : <span class="hint">{button.description}</span>}
              </button>
            ))}
          </div>
          {writing === null ? null : (
            <details class="instead">
              <summary>{isReply ? "Reply instead" : "Deny and say why"}</summary>
              {writing}
            </details>
          )}
        </>
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
