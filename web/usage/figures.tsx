// The figures of one endpoint: its measures, the chart of the chosen one, the table behind it, and lists.
import { useEffect, useRef, useState } from "preact/hooks";
import type { UsageOnPage } from "../../src/wings/platform/page-tab/contract.ts";
import type { UsageChart, UsageList } from "../../src/wings/platform/figures/charts.ts";
import { get } from "../connection.ts";
import { useNotify } from "../notice.tsx";
import { Chart, formatDay } from "./chart.tsx";
import { download } from "./download.ts";

/** What `from` takes; with `own`, the person chooses both days. */
const ranges = { "7d": "7 days", "30d": "30 days", "90d": "90 days", all: "all", own: "from … to …" } as const;
/** Figures of today change. */
const lookEveryMs = 15_000;

export function Figures({ of }: { of: string }) {
  const [range, setRange] = useState<string>("7d");
  const [own, setOwn] = useState({ from: "", to: "" });
  /** Undefined until the person has chosen. */
  const [isGrouped, setGrouped] = useState<boolean>();
  const days: Record<string, string> = range === "own" ? own : { from: range };
  const { figures, query, problem } = useFigures({
    of,
    ...days,
    ...(isGrouped === undefined ? {} : { grouped: String(isGrouped) }),
  });
  const [chosen, setChosen] = useState(0);
  const chart = figures?.charts[Math.min(chosen, figures.charts.length - 1)];
  const notify = useNotify();
  const chooseRange = (value: string): void => {
    if (value === "own" && figures !== undefined) setOwn({ from: figures.startDate, to: figures.endDate });
    setRange(value);
  };
  return (
    <>
      <div class="filters">
        <label>
          Days
          <select value={range} onChange={(event) => chooseRange(event.currentTarget.value)}>
            {Object.entries(ranges).map(([value, title]) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
          </select>
        </label>
        {range !== "own" ? null : (
          <>
            {(["from", "to"] as const).map((end) => (
              <label key={end}>
                {end === "from" ? "From" : "To"}
                <input
                  type="date"
                  value={own[end]}
                  required
                  onChange={(event) => setOwn({ ...own, [end]: event.currentTarget.value })}
                />
              </label>
            ))}
          </>
        )}
        {figures?.group === undefined ? null : (
          <label>
            Group
            <select
              value={String(figures.group.isGrouped)}
              onChange={(event) => setGrouped(event.currentTarget.value === "true")}
            >
              <option value="false">all together</option>
              <option value="true">by {figures.group.label.toLowerCase()}</option>
            </select>
          </label>
        )}
      </div>
      {problem === "" ? null : (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {figures === undefined || chart === undefined ? (
        <p class="empty">{problem === "" ? "Loading…" : null}</p>
      ) : (
        <section class="group" aria-label={figures.title}>
          <h2>
            {figures.title} <span class="facts">{figures.whose}</span>
          </h2>
          <Measures charts={figures.charts} chosen={chart} onChoose={setChosen} />
          <div class="session">
            <Chart chart={chart} days={figures.days} />
            <Behind
              chart={chart}
              days={figures.days}
              onDownload={() =>
                void download(`/page/usage.csv?${query}`).catch((error: Error) => notify(error.message))
              }
            />
          </div>
          {figures.notes.map((note) => (
            <p key={note} class="hint">
              {note}
            </p>
          ))}
          <div class="lists">
            {figures.lists.map((list) => (
              <List key={list.label} list={list} />
            ))}
          </div>
        </section>
      )}
    </>
  );
}

function useFigures(asking: Record<string, string>): {
  figures: UsageOnPage | undefined;
  query: string;
  problem: string;
} {
  const [figures, setFigures] = useState<UsageOnPage>();
  const [problem, setProblem] = useState("");
  const query = new URLSearchParams(asking).toString();
  const asked = useRef(query);
  useEffect(() => {
    asked.current = query;
    const look = async (): Promise<void> => {
      try {
        const answer = await get<UsageOnPage>(`/page/usage?${query}`);
        // Another choice was made meanwhile.
        if (asked.current !== query) return;
        setFigures(answer);
        setProblem("");
      } catch (error) {
        if (asked.current === query) setProblem((error as Error).message);
      }
    };
    void look();
    const timer = setInterval(() => void look(), lookEveryMs);
    return () => clearInterval(timer);
  }, [query]);
  return { figures, query, problem };
}

function Measures(props: { charts: readonly UsageChart[]; chosen: UsageChart; onChoose: (index: number) => void }) {
  const { charts, chosen, onChoose } = props;
  if (charts.length === 1) return null;
  return (
    <div class="measures" role="group" aria-label="Measure">
      {charts.map((chart, index) => (
        <button key={chart.label} type="button" aria-pressed={chart === chosen} onClick={() => onChoose(index)}>
          <span class="facts">{chart.label}</span>
          <span class="total">{chart.total}</span>
          <span class="facts">{[chart.change, chart.meanOf].filter((text) => text !== "").join(", ")}</span>
        </button>
      ))}
    </div>
  );
}

/** The same as the chart, for those who read numbers. */
function Behind({ chart, days, onDownload }: { chart: UsageChart; days: readonly string[]; onDownload: () => void }) {
  return (
    <div class="behind">
      <details>
        <summary>Table</summary>
        <div class="scroll" tabIndex={0} role="region" aria-label={`${chart.label}, table`}>
          <table>
            <thead>
              <tr>
                <th scope="col">Day</th>
                {chart.series.map(({ name }) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {days.map((day, index) => (
                <tr key={day}>
                  <th scope="row">{day}</th>
                  {chart.series.map(({ name, perDay }) => (
                    <td key={name}>{formatDay(perDay[index])}</td>
                  ))}
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr>
                <th scope="row">{chart.isSum ? "All days" : chart.meanOf || "Period"}</th>
                {chart.series.map(({ name, total }) => (
                  <td key={name}>{total}</td>
                ))}
              </tr>
            </tfoot>
          </table>
        </div>
      </details>
      <button type="button" onClick={onDownload}>
        Download CSV
      </button>
    </div>
  );
}

function List({ list: { label, valueLabel, items } }: { list: UsageList }) {
  return (
    <table class="session">
      <thead>
        <tr>
          <th scope="col">{label}</th>
          <th scope="col">{valueLabel}</th>
          {items[0]?.share === "" ? null : <th scope="col">Share</th>}
        </tr>
      </thead>
      <tbody>
        {items.map(({ name, value, share, part }) => (
          <tr key={name} style={{ backgroundSize: `${part * 100}% 100%` }}>
            <th scope="row">{name}</th>
            <td>{value}</td>
            {share === "" ? null : <td>{share}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
