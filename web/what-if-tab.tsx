// "What if": the last days again, under rules that the person edits here, beside what was sent.
import { useEffect, useRef, useState } from "preact/hooks";
import type { OwnRules, WhatIfAsked, WhatIfLine, WhatIfReport } from "../src/wings/replay/page-tab/contract.ts";
import type { Now } from "../src/wings/page/contract.ts";
import type { RulesProblem } from "../src/http-server/served.ts";
import { get, postForLines } from "./connection.ts";
import { WhatIfResult } from "./what-if-result.tsx";

const spans: Readonly<Record<WhatIfAsked["days"], string>> = { 1: "1 day", 7: "7 days", 30: "30 days" };

/** What was typed and found stays while another tab is shown. */
const kept: {
  rules?: string;
  note?: string | undefined;
  days: WhatIfAsked["days"];
  report?: WhatIfReport | undefined;
} = {
  days: 7,
};

export function WhatIfTab({ now: { device } }: { now: Now }) {
  if (device.rights.includes("administer")) return <Trial />;
  return <p class="empty">This browser may not try rules: pair it with hookbell devices add --administer.</p>;
}

function Trial() {
  const [rules, setRules] = useState(kept.rules);
  const [days, setDays] = useState(kept.days);
  const [report, setReport] = useState(kept.report);
  const [refusal, setRefusal] = useState<{ text: string; problems: readonly RulesProblem[] }>();
  const [seconds, setSeconds] = useState<number>();
  const editor = useRef<HTMLTextAreaElement>(null);
  const running = useRef<AbortController>();
  Object.assign(kept, { rules, days, report });
  const loadOwn = async (): Promise<void> => {
    try {
      const { text, note } = await get<OwnRules>("/page/rules");
      kept.note = note;
      setRules(text);
    } catch (error) {
      setRefusal({ text: (error as Error).message, problems: [] });
    }
  };
  useEffect(() => {
    if (rules === undefined) void loadOwn();
    // The server ends the replay of a browser that left.
    return () => running.current?.abort();
  }, []);
  const run = async (): Promise<void> => {
    const stop = new AbortController();
    running.current = stop;
    setRefusal(undefined);
    setReport(undefined);
    setSeconds(0);
    const take = (said: unknown): void => {
      const line = said as WhatIfLine;
      if (line.what === "working") setSeconds(line.seconds);
      if (line.what === "refused") setRefusal(line);
      if (line.what === "report") setReport(line.report);
    };
    try {
      await postForLines("/page/replay", { days, rules: rules ?? "" } satisfies WhatIfAsked, stop.signal, take);
    } catch (error) {
      if (!stop.signal.aborted) setRefusal({ text: (error as Error).message, problems: [] });
    }
    setSeconds(undefined);
  };
  const isRunning = seconds !== undefined;
  return (
    <div class="whatIf">
      {report === undefined ? null : <h2>{report.headline}</h2>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <label class="field">
          Rules
          <textarea
            ref={editor}
            rows={16}
            spellcheck={false}
            autocapitalize="off"
            value={rules ?? ""}
            onInput={(event) => setRules(event.currentTarget.value)}
          />
        </label>
        {kept.note === undefined ? null : <p class="hint">{kept.note}</p>}
        <div class="line">
          <select
            aria-label="How far back"
            value={days}
            onChange={(event) => setDays(Number(event.currentTarget.value) as WhatIfAsked["days"])}
          >
            {Object.entries(spans).map(([value, title]) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
          </select>
          {isRunning ? (
            <button type="button" onClick={() => running.current?.abort()}>
              Stop
            </button>
          ) : (
            <button type="submit" disabled={rules === undefined}>
              Replay
            </button>
          )}
          <button type="button" disabled={isRunning} onClick={() => void loadOwn()}>
            Back to your rules
          </button>
        </div>
        <p class="hint">Nothing is sent, and no secret is read. Your rules file stays as it is.</p>
      </form>
      <p class="hint" role="status">
        {isRunning ? `Replaying, ${seconds} s …` : report === undefined ? "" : "The replay is done."}
      </p>
      {refusal === undefined ? null : <Refusal {...refusal} onGo={(problem) => select(editor.current, problem)} />}
      {report === undefined ? null : <WhatIfResult report={report} />}
    </div>
  );
}

function Refusal({
  text,
  problems,
  onGo,
}: {
  text: string;
  problems: readonly RulesProblem[];
  onGo: (problem: RulesProblem) => void;
}) {
  return (
    <div class="session isBad" role="alert">
      <p>
        <b>{problems.length === 0 ? text : "These rules have a mistake; your file is unchanged."}</b>
      </p>
      <ul>
        {problems.map((problem, index) => (
          <li key={index}>
            <button type="button" class="place" onClick={() => onGo(problem)}>
              line {problem.line}, column {problem.column}
            </button>{" "}
            {problem.text}
            {problem.hint === undefined ? null : <span class="hint"> {problem.hint}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Selects the rest of the line where the problem is. */
function select(editor: HTMLTextAreaElement | null, { line, column }: RulesProblem): void {
  if (editor === null) return;
  const before = editor.value.split("\n").slice(0, line - 1);
  const lineStart = before.reduce((sum, each) => sum + each.length + 1, 0);
  const lineEnd = editor.value.indexOf("\n", lineStart);
  editor.focus();
  editor.setSelectionRange(lineStart + column - 1, lineEnd < 0 ? editor.value.length : lineEnd);
}
