// A list of any length, of which only the rows on the screen exist.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** Rows above and below the screen, so that scrolling by keys finds the next one. */
const spareRows = 8;
/** More is asked for when so few rows are left below. */
const nearEnd = 40;

export function VirtualList<Item>({
  items,
  rowHeight,
  label,
  onNearEnd,
  onLook,
  children,
}: {
  items: readonly Item[];
  /** CSS pixels; the same for every row. */
  rowHeight: number;
  label: string;
  onNearEnd: () => void;
  /** Told whether the first row is on the screen. */
  onLook: (isAtTop: boolean) => void;
  children: (item: Item, index: number) => ComponentChildren;
}) {
  const place = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState({ from: 0, to: 40 });
  const look = (): void => {
    const { scrollTop = 0, clientHeight = 800 } = place.current ?? {};
    onLook(scrollTop < rowHeight);
    const from = Math.max(0, Math.floor(scrollTop / rowHeight) - spareRows);
    const to = Math.ceil((scrollTop + clientHeight) / rowHeight) + spareRows;
    setRange((before) => (before.from === from && before.to === to ? before : { from, to }));
  };
  useEffect(look, [items.length, rowHeight]);
  useEffect(() => {
    addEventListener("resize", look);
    return () => removeEventListener("resize", look);
  }, []);
  useEffect(() => {
    if (range.to + nearEnd >= items.length) onNearEnd();
  }, [range.to, items.length]);
  const shown = items.slice(range.from, range.to);
  return (
    <div class="list" ref={place} onScroll={look} tabIndex={0} role="group" aria-label={label}>
      <ul style={{ height: `${items.length * rowHeight}px` }}>
        {shown.map((item, index) => (
          <li
            key={range.from + index}
            aria-setsize={items.length}
            aria-posinset={range.from + index + 1}
            style={{ transform: `translateY(${(range.from + index) * rowHeight}px)`, height: `${rowHeight}px` }}
          >
            {children(item, range.from + index)}
          </li>
        ))}
      </ul>
    </div>
  );
}
