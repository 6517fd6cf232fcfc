// Which elements of a long list are on the screen or near it: only those are worth drawing.
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** CSS pixels above and below the screen, so that scrolling shows no gap and Tab finds the next one. */
const margin = 800;
/** CSS pixels; what a session takes that was never drawn. */
const usualHeight = 76;

interface Nearness {
  isNear: boolean;
  /** CSS pixels; the last one while it was drawn. */
  height: number;
}

const watched = new WeakMap<Element, (entry: IntersectionObserverEntry) => void>();
const observer = new IntersectionObserver(
  (entries) => {
    for (const entry of entries) watched.get(entry.target)?.(entry);
  },
  { rootMargin: `${margin}px 0px` },
);

export function useNearScreen<Place extends Element>(): [RefObject<Place>, Nearness] {
  const place = useRef<Place>(null);
  const [nearness, setNearness] = useState<Nearness>({ isNear: false, height: usualHeight });
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    watched.set(element, ({ isIntersecting, boundingClientRect: { height } }) =>
      setNearness({ isNear: isIntersecting, height }),
    );
    observer.observe(element);
    return () => observer.unobserve(element);
  }, []);
  return [place, nearness];
}
