// "Now": who needs you, what the others do, and the strip of the day.
import type { Now, SessionGroup } from "../src/wings/page/contract.ts";
import { DayStrips } from "./day-strips.tsx";
import { Session } from "./session.tsx";

export function NowTab({ now }: { now: Now }) {
  const needsYou = now.groups.find(({ group }) => group === "needsYou");
  const others = now.groups.filter((group) => group !== needsYou);
  return (
    <div class="now">
      <section class={needsYou === undefined ? "group" : "group needsYou"} aria-label="needs you">
        <h2>
          Needs you <span class="count">{needsYou?.sessions.length ?? 0}</span>
        </h2>
        {needsYou === undefined ? <p class="empty">No session needs you.</p> : <Sessions group={needsYou} />}
        {now.groups.length === 0 ? (
          <p class="empty">No session is open. The next event of an agent shows it here.</p>
        ) : null}
      </section>
      <div class="others">
        {others.map((group) => (
          <section key={group.group} class={`group ${group.group}`} aria-label={group.title}>
            <h2>
              {group.title.charAt(0).toUpperCase() + group.title.slice(1)}{" "}
              <span class="count">{group.sessions.length}</span>
            </h2>
            <Sessions group={group} />
          </section>
        ))}
      </div>
      <DayStrips day={now.day} />
    </div>
  );
}

function Sessions({ group }: { group: SessionGroup }) {
  return (
    <ul class="sessions">
      {group.sessions.map((session) => (
        <Session key={session.id} session={session} />
      ))}
    </ul>
  );
}
