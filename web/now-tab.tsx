// "Now": who needs you, what the others do, and the strip of the day.
import { useMemo } from "preact/hooks";
import type { Now, SessionGroup, SessionOnPage } from "../src/commands/page/contract.ts";
import { DayStrips } from "./day-strips.tsx";
import { Session } from "./session.tsx";
import { ageOf, useNow } from "./time.ts";

export function NowTab({ now }: { now: Now }) {
  const time = useNow();
  const needsYou = now.groups.find(({ group }) => group === "needsYou");
  const others = now.groups.filter((group) => group !== needsYou);
  return (
    <div class="now">
      <section class="group needsYou" aria-label="needs you">
        <h2>
          Needs you <span class="count">{needsYou?.sessions.length ?? 0}</span>
        </h2>
        {needsYou === undefined ? (
          <p class="empty">No session needs you.</p>
        ) : (
          <Sessions group={needsYou} time={time} />
        )}
      </section>
      <div class="others">
        {others.map((group) => (
          <section key={group.group} class={`group ${group.group}`} aria-label={group.title}>
            <h2>
              {group.title.charAt(0).toUpperCase() + group.title.slice(1)}{" "}
              <span class="count">{group.sessions.length}</span>
            </h2>
            <Sessions group={group} time={time} />
          </section>
        ))}
        {now.groups.length === 0 ? (
          <p class="empty">No session is open. The next event of an agent shows it here.</p>
        ) : null}
      </div>
      <DayStrips day={now.day} time={time} />
    </div>
  );
}

/** Draws a session again only if it has changed, or one of its ages. */
function Row({ session, time }: { session: SessionOnPage; time: number }) {
  const { since, toolSince = since, told, questions } = session;
  const times = [since, toolSince, ...(told?.channels ?? []).flatMap(({ at, until = at }) => [at, until])];
  const ages = questions.length > 0 ? time : times.map((at) => ageOf(Math.abs(time - at))).join();
  return useMemo(() => <Session session={session} time={time} />, [session, ages]);
}

function Sessions({ group, time }: { group: SessionGroup; time: number }) {
  return (
    <ul class="sessions">
      {group.sessions.map((session) => (
        <Row key={session.id} session={session} time={time} />
      ))}
    </ul>
  );
}
