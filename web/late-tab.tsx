// A tab whose code and styles are loaded when it is opened.
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Now } from "../src/wings/page/contract.ts";

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

/** As the server says them, so that no other program's file is taken in their place. */
const [scriptDigest = "", stylesDigest = ""] =
  document.querySelector<HTMLMetaElement>("meta[name=hookbell-late]")?.content.split(" ") ?? [];

/** Resolves when the styles apply, and when the script has been compared with its digest. */
export async function loadLate(script: string, styles: string): Promise<void> {
  await loadStyles(besides(styles));
  // The import that follows takes the script that was compared.
  if (!document.createElement("link").relList.supports("modulepreload")) return;
  await load({ rel: "modulepreload", href: besides(script), integrity: scriptDigest });
}

function loadStyles(href: string): Promise<void> {
  if (document.querySelector(`link[href="${href}"]`) !== null) return Promise.resolve();
  return load({ rel: "stylesheet", href, integrity: stylesDigest });
}

/** Beside this script, whose address is another one with each load. */
function besides(file: string): string {
  return new URL(file, import.meta.url).href;
}

function load(attributes: { rel: string; href: string; integrity: string }): Promise<void> {
  const link = Object.assign(document.createElement("link"), attributes);
  return new Promise((resolve, reject) => {
    link.addEventListener("load", () => resolve());
    link.addEventListener("error", reject);
    document.head.append(link);
  });
}
