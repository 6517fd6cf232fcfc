// The rule tester: what the rules of now would do with an event at another hour, and with the person elsewhere.
import { useEffect, useState } from "preact/hooks";
import type { Explained } from "../src/wings/page/contract.ts";
import type { Reasons } from "../src/console/output/show-entry.ts";
import { get } from "./connection.ts";
import { clockTime, whenOf, withTimes } from "./time.ts";

/** As `hookbell explain --state` takes them. */
const people = {
  "here,unlocked,unfocused": "here",
  "here,unlocked,focused": "here, at its terminal",
  "away,unlocked,unfocused": "away",
  "away,locked,unfocused": "away, screen locked",
} as const;
const quarterHours = 96;

export function RuleTester({ file, event, at }: { file: string; event: string; at: number }) {
  const then = new Date(at);
  const [quarter, setQuarter] = useState(Math.floor((then.getHours() * 60 + then.getMinutes()) / 15));
  const [state, setState] = useState<string>("here,unlocked,unfocused");
  const [explained, setExplained] = useState<Explained>();
  const [problem, setProblem] = useState("");
  const time = `${String(Math.floor(quarter / 4)).padStart(2, "0")}:${String((quarter % 4) * 15).padStart(2, "0")}`;
  /** The server takes `23:30`; people read it as their browser writes it. */
  const shown = clockTime(new Date(at).setHours(Math.floor(quarter / 4), (quarter % 4) * 15));
  useEffect(() => {
    let isOver = false;
    const query = new URLSearchParams({ time, state });
    get<Explained>(`/page/explain/${encodeURIComponent(file)}/${encodeURIComponent(event)}?${query.toString()}`).then(
      (found) => {
        if (isOver) return;
        setProblem("");
        setExplained(found);
      },
      (error: unknown) => {
        if (!isOver) setProblem((error as Error).message);
      },
    );
    return () => {
      isOver = true;
    };
  }, [file, event, time, state]);
  return (
    <section class="tester" aria-label="Rule tester">
      <h3>What would your rules do now?</h3>
      <label class="field">
        At {shown}
        <input
          type="range"
          min={0}
          max={quarterHours - 1}
          value={quarter}
          aria-valuetext={shown}
          onInput={(input) => setQuarter(Number(input.currentTarget.value))}
        />
      </label>
      <label class="field">
        You are
        <select value={state} onChange={(input) => setState(input.currentTarget.value)}>
          {Object.entries(people).map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
      </label>
      {problem === "" ? null : <p role="alert">{problem}</p>}
      {explained === undefined ? null : (
        <div role="status">
          {explained.messages.length === 0 ? <p>Nothing would be sent.</p> : null}
          <ul>
            {explained.messages.map(({ channel, rule, title, body, held, at: sentAt }) => (
              <li key={channel} class="session">
                <p>
                  <b>{channel}</b>{" "}
                  <span class="facts">
                    rule “{rule}”
                    {held === undefined || sentAt === undefined
                      ? ""
                      : `, held until ${whenOf(sentAt)}: ${withTimes(held)}`}
                  </span>
                </p>
                <p>{title}</p>
                <p class="words">{body}</p>
              </li>
            ))}
          </ul>
          <ReasonsOfRules reasons={explained.reasons} />
        </div>
      )}
    </section>
  );
}

/** The rules that did not match are many, and rarely the answer. */
export function ReasonsOfRules({ reasons: { matching, others, stages } }: { reasons: Reasons }) {
  return (
    <>
      {matching.length === 0 ? null : <pre>{matching.join("\n")}</pre>}
      {others.length === 0 ? null : (
        <details>
          <summary>The other rules</summary>
          <pre>{withTimes(others.join("\n"))}</pre>
        </details>
      )}
      {stages.length === 0 ? null : (
        <details>
          <summary>What each stage found</summary>
          <pre>{stages.join("\n")}</pre>
        </details>
      )}
    </>
  );
}
