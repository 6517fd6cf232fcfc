// A list of any length, of which only the rows on the screen exist.
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";

/** Rows above and below the screen, so that fast scrolling shows no gap. */
const spareRows = 8;
/** More is asked for when so few rows are left below. */
const nearEnd = 40;

/** CSS pixels; the same for every row. page.css says how many lines a row has. */
const rowHeight = (): number => (isWide.matches ? 60 : 80);
const isWide = matchMedia("(min-width: 40rem)");

export function VirtualList<Item>({
  items,
  label,
  end,
  onNearEnd = () => {},
  onLook = () => {},
  onOpen,
  children,
}: {
  items: readonly Item[];
  label: string;
  /** What stands below the last row. */
  end?: string;
  onNearEnd?: () => void;
  /** Told whether the first row is on the screen and no other one is chosen. */
  onLook?: (isAtTop: boolean) => void;
  /** The whole list is one Tab stop: arrow keys choose a row, Enter opens it. Without it, rows only scroll. */
  onOpen?: (item: Item) => void;
  children: (item: Item) => ComponentChildren;
}) {
  const [height, setHeight] = useState(rowHeight);
  const place = useRef<HTMLDivElement>(null);
  const id = useId();
  const [range, setRange] = useState({ from: 0, to: 40 });
  const [lastChosen, setChosen] = useState(0);
  const last = Math.max(0, items.length - 1);
  // The list may be shorter than when the row was chosen.
  const chosen = Math.min(lastChosen, last);
  const look = (): void => {
    const { scrollTop = 0, clientHeight = 800 } = place.current ?? {};
    setHeight(rowHeight());
    onLook(scrollTop < height && chosen === 0);
    const from = Math.max(0, Math.floor(scrollTop / height) - spareRows);
    const to = Math.ceil((scrollTop + clientHeight) / height) + spareRows;
    setRange((before) => (before.from === from && before.to === to ? before : { from, to }));
  };
  useEffect(look, [items.length, height, chosen]);
  useEffect(() => {
    addEventListener("resize", look);
    return () => removeEventListener("resize", look);
  }, [height, chosen]);
  useEffect(() => {
    if (range.to + nearEnd >= items.length) onNearEnd();
  }, [range.to, items.length]);
  const choose = (index: number): void => {
    const { current } = place;
    if (current === null) return;
    const top = index * height;
    const lowest = top + height - current.clientHeight;
    current.scrollTop = Math.max(lowest, Math.min(current.scrollTop, top));
    setChosen(index);
    // The row must exist before it is announced.
    look();
  };
  const onKey = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor((place.current?.clientHeight ?? 0) / height) - 1);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      End: items.length,
      Home: -items.length,
    };
    const step = steps[event.key];
    const item = items[chosen];
    if (step !== undefined) choose(Math.max(0, Math.min(last, chosen + step)));
    else if (event.key === "Enter" && item !== undefined) onOpen?.(item);
    else return;
    event.preventDefault();
  };
  const rows = items.slice(range.from, range.to).map((item, offset) => {
    const index = range.from + offset;
    const at = { transform: `translateY(${index * height}px)`, height: `${height}px` };
    const counted = { "aria-setsize": items.length, "aria-posinset": index + 1 };
    if (onOpen === undefined) {
      return (
        <li key={index} {...counted} style={at}>
          {children(item)}
        </li>
      );
    }
    const open = (): void => {
      setChosen(index);
      onOpen(item);
    };
    return (
      <li
        key={index}
        {...counted}
        id={`${id}-${index}`}
        role="option"
        aria-selected={index === chosen}
        style={at}
        onClick={open}
      >
        {children(item)}
      </li>
    );
  });
  const wholeHeight = { height: `${items.length * height}px` };
  const below = end === undefined ? null : <p class="hint">{end}</p>;
  if (onOpen === undefined || items.length === 0) {
    return (
      <div class="list" ref={place} onScroll={look} tabIndex={0} role="group" aria-label={label}>
        <ul style={wholeHeight}>{rows}</ul>
        {below}
      </div>
    );
  }
  return (
    <div class="list" ref={place} onScroll={look}>
      <ul
        style={wholeHeight}
        role="listbox"
        tabIndex={0}
        aria-label={label}
        aria-activedescendant={`${id}-${chosen}`}
        onKeyDown={onKey}
      >
        {rows}
      </ul>
      {below}
    </div>
  );
}
