// "Deliveries": how each channel is, and what reached none, to be sent again or deleted.
import { useEffect, useState } from "preact/hooks";
import type { DeadLetter, Deliveries } from "../src/wings/page/contract.ts";
import { againIn } from "./broken-channels.tsx";
import { get, post } from "./connection.ts";
import { useNotify } from "./notice.tsx";
import { capital } from "./notified-line.tsx";
import { useNow, whenOf, withTimes } from "./time.ts";

const lookEveryMs = 5000;

export function DeliveriesTab({ mayAdminister }: { mayAdminister: boolean }) {
  const [deliveries, setDeliveries] = useState<Deliveries>();
  const [problem, setProblem] = useState("");
  const time = useNow();
  const look = async (): Promise<void> => {
    try {
      setDeliveries(await get<Deliveries>("/page/deliveries"));
      setProblem("");
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  useEffect(() => {
    void look();
    const timer = setInterval(() => void look(), lookEveryMs);
    return () => clearInterval(timer);
  }, []);
  if (deliveries === undefined) return <p class="empty">{problem === "" ? "Loading…" : problem}</p>;
  const { channels, dead, deadCount } = deliveries;
  return (
    <div class="deliveries">
      <section class="group" aria-label="channels">
        <h2>
          Channels <span class="count">{channels.length}</span>
        </h2>
        {channels.length === 0 ? <p class="empty">Your rules have no channel.</p> : null}
        <ul>
          {channels.map(({ name, type, trouble, waiting, failed }) => (
            <li key={name} class={trouble === undefined && failed === 0 ? "session" : "session isBad"}>
              <div class="line">
                <strong>{name}</strong>
                <span class="facts">{type ?? "no longer in your rules"}</span>
                <span class="age">
                  {failed > 0 ? `${failed} failed` : trouble === undefined ? "no trouble" : "trouble"}
                </span>
              </div>
              {trouble === undefined ? null : (
                <p class="words">
                  {trouble.at === undefined
                    ? capital(trouble.why)
                    : `Its last message failed, ${whenOf(trouble.at)}: ${trouble.why}`}
                  {againIn(trouble.nextAt, time)}
                </p>
              )}
              {waiting === undefined ? null : (
                <p class="words">
                  {waiting.count} waiting
                  {waiting.until === undefined ? "" : ` until ${whenOf(waiting.until)}`}
                  {waiting.why === undefined ? "" : `: ${withTimes(waiting.why)}`}
                </p>
              )}
            </li>
          ))}
        </ul>
      </section>
      <section class="group" aria-label="failed deliveries">
        <h2>
          Failed deliveries <span class="count">{deadCount}</span>
        </h2>
        {dead.length === 0 ? <p class="empty">Every message arrived, or still waits for its turn.</p> : null}
        {mayAdminister || dead.length === 0 ? null : (
          <p class="hint">This browser may not send them again: pair it with hookbell devices add --administer.</p>
        )}
        <ul>
          {dead.map((letter) => (
            <Letter key={letter.id} letter={letter} mayAdminister={mayAdminister} onDone={() => void look()} />
          ))}
        </ul>
      </section>
    </div>
  );
}

function Letter(props: { letter: DeadLetter; mayAdminister: boolean; onDone: () => void }) {
  const { letter, mayAdminister, onDone } = props;
  const notify = useNotify();
  const act = async (path: string): Promise<void> => {
    const { text } = await post(path, { ids: [letter.id] });
    notify(text);
    onDone();
  };
  return (
    <li class="session">
      <div class="line">
        <strong>{letter.title}</strong>
        <span class="facts">to {letter.channel}</span>
        <time class="age">{whenOf(letter.at)}</time>
      </div>
      {letter.why === undefined ? null : <p class="words">{letter.why}</p>}
      {mayAdminister ? (
        <div class="buttons">
          <button type="button" onClick={() => void act("/page/retry")}>
            Send again
          </button>
          <button type="button" class="deny" onClick={() => void act("/page/discard")}>
            Delete
          </button>
        </div>
      ) : null}
    </li>
  );
}
