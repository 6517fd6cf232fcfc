// "Why": what notified you and what did not, with the reason; search over the journal.
import { useEffect, useRef, useState } from "preact/hooks";
import type { JournalPart, JournalRow, Now, Only } from "../src/wings/page/contract.ts";
import { get } from "./connection.ts";
import { EventDetail } from "./event-detail.tsx";
import { kindOf } from "./kinds.ts";
import { capital, outcomeOf } from "./notified-line.tsx";
import { addressOf } from "./route.ts";
import { whenOf, withTimes } from "./time.ts";
import { VirtualList } from "./virtual-list.tsx";

/** A pause in typing that begins a search. */
const typingMs = 250;

const ends = {
  nothing: "Nothing in the journal matches.",
  beginning: "This is the beginning of the journal.",
} as const;

const choices: Readonly<Record<Only, string>> = {
  all: "everything",
  notified: "notified",
  suppressed: "not notified",
  answers: "answers",
};

/** `session`: the only one to show. */
export function WhyTab(props: { now: Now; session: string | undefined; canTryRules: boolean }) {
  const { now, session, canTryRules } = props;
  const [only, setOnly] = useState<Only>("all");
  const [words, setWords] = useState("");
  const [open, setOpen] = useState<JournalRow>();
  const isAtTop = useRef(true);
  const place = now.groups.flatMap(({ sessions }) => sessions).find(({ id }) => id === session)?.place;
  const { rows, state, end, more, refresh } = useJournal({ only, words, session });
  useEffect(() => {
    // New rows must not move those that someone reads.
    if (isAtTop.current) refresh();
    else if (state !== "") more();
    // Whatever has changed, something may have been written.
  }, [now]);
  return (
    <div class="why">
      <form class="search" role="search" onSubmit={(event) => event.preventDefault()}>
        <input
          type="search"
          aria-label="Search the journal"
          placeholder="Search: project, channel, rule, words"
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
        <select aria-label="Show" value={only} onChange={(event) => setOnly(event.currentTarget.value as Only)}>
          {Object.entries(choices).map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
      </form>
      {session === undefined ? null : (
        <p class="only">
          Only <b>{place ?? "one session"}</b>
          <a href={addressOf({ tab: "why", session: undefined })}>All sessions</a>
        </p>
      )}
      <VirtualList
        items={rows}
        label="Events, newest first"
        end={
          end === "beginning" && session !== undefined
            ? `Nothing earlier about ${place ?? "this session"}.`
            : end && ends[end]
        }
        onNearEnd={more}
        onLook={(isTop) => (isAtTop.current = isTop)}
        onOpen={setOpen}
      >
        {(row) => <Row row={row} />}
      </VirtualList>
      <p class="hint" role="status">
        {state}
      </p>
      {open?.event === undefined ? null : (
        <EventDetail row={open} event={open.event} canTryRules={canTryRules} onClose={() => setOpen(undefined)} />
      )}
    </div>
  );
}

function Row({ row: { at, kind, place, text, notified, isBad } }: { row: JournalRow }) {
  return (
    <div class={isBad === true ? "entry isBad" : "entry"}>
      <p>
        <b>{place}</b> {kindOf(kind)}
      </p>
      <time>{whenOf(at)}</time>
      {text === "" ? null : <p class="said">{withTimes(text)}</p>}
      {notified === undefined ? null : <p class="outcome">{capital(withTimes(outcomeOf(notified)))}</p>}
    </div>
  );
}

interface Journal {
  /** What was read so far. */
  rows: readonly JournalRow[];
  /** What is under way or went wrong; else empty. */
  state: string;
  /** Where the search ended; undefined if there may be more. */
  end: keyof typeof ends | undefined;
  /** Reads on. */
  more: () => void;
  /** Reads the newest rows again. */
  refresh: () => void;
}

function useJournal({ only, words, session }: { only: Only; words: string; session: string | undefined }): Journal {
  const [rows, setRows] = useState<readonly JournalRow[]>([]);
  const [state, setState] = useState("");
  const [end, setEnd] = useState<keyof typeof ends>();
  /** Which search is under way, and where it goes on; undefined at the journal's beginning. */
  const search = useRef({ id: 0, next: undefined as string | undefined, isReading: false });
  const read = async (id: number, before?: string): Promise<void> => {
    search.current = { id, next: undefined, isReading: true };
    if (before !== undefined || rows.length === 0) setState("Reading…");
    try {
      const some = { session, before };
      const given = Object.entries(some).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
      const query = new URLSearchParams([["only", only], ["words", words], ...given]);
      const part = await get<JournalPart>(`/page/journal?${query.toString()}`);
      if (search.current.id !== id) return;
      search.current = { id, next: part.next, isReading: false };
      setRows((known) => (before === undefined ? part.rows : [...known, ...part.rows]));
      const isEmpty = part.rows.length === 0 && before === undefined;
      const atEnd = isEmpty ? "nothing" : "beginning";
      setEnd(part.next === undefined ? atEnd : undefined);
      setState("");
      // A part of a search may have found nothing.
      if (part.rows.length === 0 && part.next !== undefined) void read(id, part.next);
    } catch (error) {
      if (search.current.id !== id) return;
      search.current = { id, next: before, isReading: false };
      setState((error as Error).message);
    }
  };
  useEffect(() => {
    const id = search.current.id + 1;
    // The first part is asked for below, and by no one else meanwhile.
    search.current = { id, next: undefined, isReading: true };
    const timer = setTimeout(() => void read(id), words === "" ? 0 : typingMs);
    return () => clearTimeout(timer);
  }, [only, words]);
  const more = (): void => {
    const { id, next, isReading } = search.current;
    if (!isReading && next !== undefined) void read(id, next);
  };
  const refresh = (): void => {
    if (!search.current.isReading) void read(search.current.id);
  };
  return { rows, state, end, more, refresh };
}
