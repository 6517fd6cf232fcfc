// What the page's bundle may be: small, and without a word that leads elsewhere.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";

const maxGzipBytes = 90_000;
/** What each load needs: the tabs that all browsers have, and the exchange with the server. */
const maxFirstGzipBytes = 26_000;
/** The server serves these, and the page has the digest of each that it loads. Some are of wings. */
const scripts = ["page.js", "remover.js", "usage.js", "what-if-tab.js", "worker.js"];

it("the page has at most 90 kB, 26 of them at the start, and loads nothing from elsewhere", () => {
  const folder = fileURLToPath(new URL("../../../dist/web/", import.meta.url));
  const files = readdirSync(folder).map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
  const bytesOf = (some: typeof files): number => gzipSync(Buffer.concat(some.map(({ bytes }) => bytes))).length;
  expect(scripts).toEqual(expect.arrayContaining(files.map(({ name }) => name).filter((name) => name.endsWith(".js"))));
  expect(bytesOf(files)).toBeLessThan(maxGzipBytes);
  expect(bytesOf(files.filter(({ name }) => /^(?:index|page)\./.test(name)))).toBeLessThan(maxFirstGzipBytes);
  // Preact makes the namespaces of SVG and MathML of this one.
  const known = "http://www.w3.org/";
  const links = files.flatMap(({ bytes }) => bytes.toString().match(/\bhttps?:\/\/[\w.]*\/?/g) ?? []);
  expect(links.filter((link) => link !== known)).toEqual([]);
});

it("no part of the page writes markup by itself", () => {
  const web = fileURLToPath(new URL("../../../web/", import.meta.url));
  const sources = readdirSync(web, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
  expect(sources.length).toBeGreaterThan(5);
  for (const name of sources) {
    expect(readFileSync(join(web, name), "utf8"), name).not.toMatch(
      /dangerouslySetInnerHTML|innerHTML|insertAdjacentHTML/,
    );
  }
});
