// The document of the page: with a ticket in it for a browser that has opened it, and digests of all that it loads.
import { pageKey, pageKeyPath, type PageKey } from "../../../answers/browsers/page-key.ts";
import { describeWriteError, exitCodes, UserError } from "../../../model/errors.ts";
import type { Layout } from "../../../outbox/layout.ts";
import { randomNonce, sha256 } from "../../../system/crypto.ts";

/** Headers of a request that say how the browser came to send it. No script can set them. */
export interface LoadHeaders {
  destination: string | undefined;
  mode: string | undefined;
  /** A service worker has asked for it, and can read the answer. */
  isPreload: boolean;
}

/** Scripts can read what they ask for themselves, and never get a ticket. https://www.w3.org/TR/fetch-metadata/ */
export function isOpenedByBrowser({ destination, mode, isPreload }: LoadHeaders): boolean {
  return destination === "document" && mode === "navigate" && !isPreload;
}

/** Each load has addresses of its own for scripts and styles: another program cannot have put them into the browser's cache. */
export const loadFolder = "/page/load/";

/** Throws for a key that is damaged, or cannot be written. */
export function openPageKey(layout: Layout, nowMs: number): PageKey {
  const path = pageKeyPath(layout);
  let found: PageKey | undefined;
  try {
    found = pageKey(layout, nowMs);
  } catch (error) {
    throw new UserError("page.key", `cannot use ${path}: ${describeWriteError(error)}`, {
      hint: "its folder must belong to you and have room; hookbell doctor says more",
      exitCode: exitCodes.cannotWrite,
    });
  }
  if (found !== undefined) return found;
  throw new UserError("page.key", `${path} is damaged: browsers know this server by it`, {
    hint: "restore it from a backup; or remove it, restart the server, and pair each browser again with: hookbell devices add",
  });
}

/** `readAsset`: the text of a file of the page. Undefined for `own`: no ticket. */
export function renderShell(readAsset: (file: string) => string, own: PageKey | undefined): string {
  const id = randomNonce();
  const ticket = own === undefined ? "" : `${id} ${own.ticketSecret(id)}`;
  return readAsset("index.html")
    .replaceAll(`${loadFolder}-/`, `${loadFolder}${randomNonce()}/`)
    .replaceAll(/\bsha256-([\w-]+\.(?:js|css))/g, (_, file: string) => digestOf(readAsset(file)))
    .replace('content="ticket"', `content="${ticket}"`);
}

/** The form that the attribute `integrity` takes. */
function digestOf(text: string): string {
  return `sha256-${Buffer.from(sha256(text), "hex").toString("base64")}`;
}
