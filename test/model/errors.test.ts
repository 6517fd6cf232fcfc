// The npm package has no docs/, so what the program prints names the repository's address.
import { readFileSync, readdirSync } from "node:fs";
import { sep } from "node:path";
import { expect, it } from "vitest";
import { docsUrl } from "../../src/model/errors.ts";

const root = new URL("../../", import.meta.url);

it("is a page of the repository that package.json names", () => {
  const { homepage } = JSON.parse(readFileSync(new URL("package.json", root), "utf8")) as { homepage: string };
  expect(docsUrl("reference/ANSWERS.md")).toBe(`${homepage.split("#")[0]}/blob/main/docs/reference/ANSWERS.md`);
});

it("stands wherever the program names a page, and each page exists", () => {
  const sources = readdirSync(new URL("src/", root), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => readFileSync(new URL(`src/${path}`, root), "utf8"));
  const code = sources.flatMap((text) => text.split("\n").filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line)));
  const paths = /docs\/(?:guides|reference|background)\/|docs\/[A-Z]+\.md/;
  expect(code.filter((line) => paths.test(line) && !/bark-server|block\.github\.io/.test(line))).toEqual([]);
  const named = code.flatMap((line) => [...line.matchAll(/docsUrl\("([^"]*)"\)/g)].map(([, page]) => page));
  expect(named.length).toBeGreaterThan(20);
  const pages = readdirSync(new URL("docs/", root), { recursive: true, encoding: "utf8" });
  const addresses = pages.map((path) => path.replaceAll(sep, "/"));
  expect(named.filter((page) => page === undefined || !addresses.includes(page))).toEqual([]);
});
