// The session that a click on a notification asked for: the page scrolls to it once it is there.
import { useEffect, useRef, useState } from "preact/hooks";

/** The id of its element. */
export function elementOf(session: string): string {
  return `session-${session}`;
}

/** A question is pushed and shown on the page at the same time, and its session moves to another group then. */
const settleMs = 3000;

/** `open` shows the tab with the sessions; `shown` is what is drawn now. */
export function useShownSession(open: () => void, shown: readonly unknown[]): void {
  const [wanted, setWanted] = useState<string>();
  const isFound = useRef(false);
  useEffect(() => {
    const element = wanted === undefined ? null : document.getElementById(elementOf(wanted));
    // A session that has moved to another group is a new element, so the focus is on none.
    if (element === null || (isFound.current && document.activeElement !== document.body)) return;
    if (!isFound.current) setTimeout(() => setWanted((now) => (now === wanted ? undefined : now)), settleMs);
    isFound.current = true;
    element.scrollIntoView({ block: "center" });
    element.focus();
  }, [wanted, ...shown]);
  useEffect(() => {
    const want = (session: unknown): void => {
      if (typeof session !== "string") return;
      isFound.current = false;
      setWanted(session);
      open();
    };
    const onHash = (): void => {
      const session = /^#session=(\w+)$/.exec(location.hash)?.[1];
      if (session === undefined) return;
      want(session);
    };
    const onMessage = ({ data }: MessageEvent<{ session?: unknown } | undefined>): void => want(data?.session);
    onHash();
    window.addEventListener("hashchange", onHash);
    navigator.serviceWorker?.addEventListener("message", onMessage);
    return () => {
      window.removeEventListener("hashchange", onHash);
      navigator.serviceWorker?.removeEventListener("message", onMessage);
    };
  }, []);
}
