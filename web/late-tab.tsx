// A tab whose code and styles are loaded when it is opened.
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
// Late tabs share it. It is part of the first load, so that each of them is one file, whose digest the page has.
import "../src/model/figures/numbers.ts";
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

/** Each file's name with its digest, as the server says them, so that no other program's file is taken in their place. */
const late = document.querySelector<HTMLMetaElement>("meta[name=hookbell-late]")?.content.split(" ") ?? [];

function digestOf(file: string): string {
  return late[late.indexOf(file) + 1] ?? "";
}

/** Resolves when the styles apply, and when the script has been compared with its digest. */
export async function loadLate(script: string, styles?: string): Promise<void> {
  if (styles !== undefined) await loadStyles(styles);
  // The import that follows takes the script that was compared.
  if (!document.createElement("link").relList.supports("modulepreload")) return;
  await load({ rel: "modulepreload", href: besides(script), integrity: digestOf(script) });
}

function loadStyles(file: string): Promise<void> {
  const href = besides(file);
  if (document.querySelector(`link[href="${href}"]`) !== null) return Promise.resolve();
  return load({ rel: "stylesheet", href, integrity: digestOf(file) });
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
