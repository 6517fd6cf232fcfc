// A tab whose code and styles are loaded when it is opened.
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Now } from "../src/commands/page/contract.ts";

type Tab = ComponentType<{ now: Now }>;

export function LateTab({ load, now }: { load: () => Promise<Tab>; now: Now }) {
  const [loaded, setLoaded] = useState<{ Tab: Tab }>();
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    load().then(
      (Tab) => setLoaded({ Tab }),
      () => setBroken(true),
    );
  }, []);
  if (isBroken) return <p class="empty">This tab could not be loaded. Reload the page.</p>;
  return loaded === undefined ? <p class="empty">Loading…</p> : <loaded.Tab now={now} />;
}

/** Resolves when the styles apply. */
export function loadStyles(href: string): Promise<void> {
  if (document.querySelector(`link[href="${href}"]`) !== null) return Promise.resolve();
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = href;
  return new Promise((resolve, reject) => {
    link.addEventListener("load", () => resolve());
    link.addEventListener("error", reject);
    document.head.append(link);
  });
}
