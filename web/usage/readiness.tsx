// Readiness reports, the newest first, each with its criteria.
import { useEffect, useState } from "preact/hooks";
import type { ReadinessOnPage } from "../../src/wings/platform/page-tab/contract.ts";
import { get } from "../connection.ts";
import { whenOf } from "../time.ts";

type Report = ReadinessOnPage["reports"][number];

export function Readiness() {
  const [answer, setAnswer] = useState<ReadinessOnPage>();
  const [problem, setProblem] = useState("");
  useEffect(() => {
    get<ReadinessOnPage>("/page/readiness").then(setAnswer, (error: Error) => setProblem(error.message));
  }, []);
  if (answer === undefined) return <p class="empty">{problem === "" ? "Loading…" : problem}</p>;
  const { reports, notes } = answer;
  return (
    <section class="group" aria-label="readiness reports">
      <h2>
        Readiness reports <span class="count">{reports.length}</span>
      </h2>
      {notes.map((note) => (
        <p key={note} class="hint">
          {note}
        </p>
      ))}
      {reports.length === 0 ? <p class="empty">There are no reports.</p> : null}
      <ul>
        {reports.map((report) => (
          <ReportCard key={report.id} report={report} />
        ))}
      </ul>
    </section>
  );
}

function ReportCard({ report }: { report: Report }) {
  const { repository, at, met, score, scoreText, change, branch, criteria } = report;
  return (
    <li class="session">
      <div class="line">
        <strong>{repository}</strong>
        <span class="facts">{branch}</span>
        <time class="age">{whenOf(at)}</time>
      </div>
      <div class="score">
        <meter min={0} max={1} value={score} aria-label={`Score of ${repository}`} />
        <b>{scoreText}</b>
        <span class="facts">
          {met} criteria met{change === "" ? "" : `, ${change} points since the report before`}
        </span>
      </div>
      <details>
        <summary>Criteria</summary>
        <div class="scroll" tabIndex={0} role="region" aria-label={`Criteria of ${repository}`}>
          <table>
            <thead>
              <tr>
                <th scope="col">Criterion</th>
                <th scope="col">Met</th>
                <th scope="col" class="reason">
                  Why
                </th>
              </tr>
            </thead>
            <tbody>
              {criteria.map(({ name, met: applications, hasFallen, why }) => (
                <tr key={name}>
                  <th scope="row">
                    {name}
                    {hasFallen ? <b class="fell"> fell</b> : null}
                  </th>
                  <td>{applications}</td>
                  <td class="reason">{why}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </li>
  );
}
