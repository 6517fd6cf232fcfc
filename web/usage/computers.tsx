// The computers of this server, each with its last installation, which shows what it prints while it runs.
import type { Now } from "../../src/wings/page/contract.ts";
import type { ComputerOnPage, UsageNow } from "../../src/wings/platform/page-tab/contract.ts";
import { post } from "../connection.ts";
import { useNotify } from "../notice.tsx";
import { ageOf, useNow, whenOf } from "../time.ts";

export function Computers({ now }: { now: Now }) {
  const { computers = [], device } = now as Now & Partial<UsageNow>;
  const time = useNow();
  const mayAdminister = device.rights.includes("administer");
  return (
    <section class="group" aria-label="computers">
      <h2>
        Computers <span class="count">{computers.length}</span>
      </h2>
      {computers.length === 0 ? (
        <p class="empty">
          No computer is registered on this server. To add one, run: hookbell computers add NAME -- PROGRAM. The API of
          a platform does not list its computers.
        </p>
      ) : null}
      {mayAdminister || computers.length === 0 ? null : (
        <p class="hint">This browser may start no installation: pair it with hookbell devices add --administer.</p>
      )}
      <ul>
        {computers.map((computer) => (
          <ComputerCard key={computer.id} computer={computer} time={time} mayAdminister={mayAdminister} />
        ))}
      </ul>
    </section>
  );
}

function ComputerCard(props: { computer: ComputerOnPage; time: number; mayAdminister: boolean }) {
  const { computer, time, mayAdminister } = props;
  const { id, name, hostname, step, status, isRunning, startedAt, completedAt, error, line } = computer;
  const notify = useNotify();
  const install = async (): Promise<void> => notify((await post("/page/install", { computer: id })).text);
  const when = isRunning
    ? `for ${ageOf(time - (startedAt ?? time))}`
    : completedAt === undefined || startedAt === undefined
      ? ""
      : `${whenOf(completedAt)}, took ${ageOf(Math.max(1000, completedAt - startedAt))}`;
  return (
    <li class={error === undefined ? "session" : "session isBad"}>
      <div class="line">
        <strong>{name}</strong>
        <span class="facts">{hostname}</span>
        <span class="age">{when}</span>
      </div>
      <p class="words" role="status">
        {step}: {status}
        {error === undefined ? "" : ` (${error})`}
      </p>
      {isRunning ? (
        <>
          <progress aria-label={`Installation on ${name}`} />
          <p class="printed">{line ?? "It has printed nothing yet."}</p>
        </>
      ) : null}
      {mayAdminister && !isRunning ? (
        <div class="buttons">
          <button type="button" onClick={() => void install()}>
            Install dependencies
          </button>
        </div>
      ) : null}
    </li>
  );
}
