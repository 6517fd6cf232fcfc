// "Why": what was told and what was not, with the reason; search over the journal.
import { useEffect, useRef, useState } from "preact/hooks";
import type { JournalLine, JournalPart, Only } from "../src/commands/page/contract.ts";
import { get } from "./connection.ts";
import { EventDetail } from "./event-detail.tsx";
import { dayAndTime } from "./time.ts";
import { VirtualList } from "./virtual-list.tsx";

const rowHeight = 60;
/** A pause in typing that begins a search. */
const typingMs = 250;

const choices: Readonly<Record<Only, string>> = {
  all: "everything",
  told: "told",
  notTold: "not told",
  answers: "answers",
};

/** `changedAt`: something may have been written since. */
export function WhyTab({ changedAt }: { changedAt: number }) {
  const [only, setOnly] = useState<Only>("all");
  const [words, setWords] = useState("");
  const [open, setOpen] = useState<JournalLine>();
  const isAtTop = useRef(true);
  const { lines, state, more, refresh } = useJournal(only, words);
  useEffect(() => {
    // New lines must not move those that someone reads.
    if (isAtTop.current) refresh();
  }, [changedAt]);
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
      <VirtualList
        items={lines}
        rowHeight={rowHeight}
        label="Journal, newest first"
        onNearEnd={more}
        onLook={(isTop) => (isAtTop.current = isTop)}
      >
        {(line) => <Line line={line} onOpen={setOpen} />}
      </VirtualList>
      <p class="hint" role="status">
        {state}
      </p>
      {open?.event === undefined ? null : (
        <EventDetail file={open.file} event={open.event} onClose={() => setOpen(undefined)} />
      )}
    </div>
  );
}

function Line({ line, onOpen }: { line: JournalLine; onOpen: (line: JournalLine) => void }) {
  const text = (
    <>
      <time>{dayAndTime(line.at)}</time> <b>{line.kind}</b> {line.text}
    </>
  );
  const name = line.isBad === true ? "entry isBad" : "entry";
  if (line.event === undefined) return <p class={name}>{text}</p>;
  return (
    <button type="button" class={name} onClick={() => onOpen(line)}>
      {text}
    </button>
  );
}

interface Journal {
  /** What was read so far. */
  lines: readonly JournalLine[];
  state: string;
  /** Reads on. */
  more: () => void;
  /** Reads the newest lines again. */
  refresh: () => void;
}

function useJournal(only: Only, words: string): Journal {
  const [lines, setLines] = useState<readonly JournalLine[]>([]);
  const [state, setState] = useState("");
  /** Which search is under way, and where it goes on; undefined at the journal's beginning. */
  const search = useRef({ id: 0, next: undefined as string | undefined, isReading: false });
  const read = async (id: number, before?: string): Promise<void> => {
    search.current = { id, next: undefined, isReading: true };
    if (before !== undefined || lines.length === 0) setState("Reading…");
    try {
      const query = new URLSearchParams({ only, words, ...(before === undefined ? {} : { before }) });
      const part = await get<JournalPart>(`/page/journal?${query.toString()}`);
      if (search.current.id !== id) return;
      search.current = { id, next: part.next, isReading: false };
      setLines((known) => (before === undefined ? part.lines : [...known, ...part.lines]));
      const isEmpty = part.lines.length === 0 && before === undefined;
      const atEnd = isEmpty ? "Nothing in the journal matches." : "This is the beginning of the journal.";
      setState(part.next === undefined ? atEnd : "");
      // A part of a search may have found nothing.
      if (part.lines.length === 0 && part.next !== undefined) void read(id, part.next);
    } catch (error) {
      if (search.current.id === id) setState((error as Error).message);
    }
  };
  useEffect(() => {
    const id = search.current.id + 1;
    search.current = { id, next: undefined, isReading: false };
    const timer = setTimeout(() => void read(id), words === "" ? 0 : typingMs);
    return () => clearTimeout(timer);
  }, [only, words]);
  const more = (): void => {
    const { id, next, isReading } = search.current;
    if (!isReading && next !== undefined) void read(id, next);
  };
  const refresh = (): void => {
    if (!search.current.isReading && lines.length > 0) void read(search.current.id);
  };
  return { lines, state, more, refresh };
}
