// What the page shows, as the part of its address after the #: a reload, a bookmark and the Back button find it again.
import { useEffect, useState } from "preact/hooks";

/** The names in the address, with their titles. */
export const tabs = {
  now: "Now",
  why: "Why",
  "what-if": "What if",
  deliveries: "Deliveries",
  usage: "Usage",
  device: "This device",
} as const;

export interface Route {
  tab: keyof typeof tabs;
  /** The only session that the tab "Why" is about. */
  session: string | undefined;
}

export function addressOf({ tab, session }: Route): string {
  return session === undefined ? `#${tab}` : `#${tab}/${session}`;
}

/** What this browser shows, and what shows something else without an entry in its history. */
export function useRoute(): [Route, (route: Route) => void] {
  const [route, setRoute] = useState(readRoute);
  useEffect(() => {
    const onHash = (): void => setRoute(readRoute());
    addEventListener("hashchange", onHash);
    return () => removeEventListener("hashchange", onHash);
  }, []);
  const go = (to: Route): void => {
    history.replaceState(null, "", addressOf(to));
    setRoute(to);
  };
  return [route, go];
}

function readRoute(): Route {
  const [, name = "", session] = /^#([a-z-]+)(?:\/(\w+))?$/.exec(location.hash) ?? [];
  return Object.hasOwn(tabs, name) ? { tab: name as Route["tab"], session } : { tab: "now", session: undefined };
}
