// The session that a click on a notification asked for: the page scrolls to it once it is there.
import { useEffect, useState } from "preact/hooks";

/** The id of its element. */
export function elementOf(session: string): string {
  return `session-${session}`;
}

/** `open` shows the tab with the sessions; `shown` is what is drawn now. */
export function useShownSession(open: () => void, shown: readonly unknown[]): void {
  const [wanted, setWanted] = useState<string>();
  useEffect(() => {
    const element = wanted === undefined ? null : document.getElementById(elementOf(wanted));
    if (element === null) return;
    setWanted(undefined);
    element.scrollIntoView({ block: "center" });
    element.focus();
  }, [wanted, ...shown]);
  useEffect(() => {
    const want = (session: unknown): void => {
      if (typeof session !== "string") return;
      setWanted(session);
      open();
    };
    const onHash = (): void => {
      const session = /^#session=(\w+)$/.exec(location.hash)?.[1];
      if (session === undefined) return;
      history.replaceState(null, "", location.pathname);
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
