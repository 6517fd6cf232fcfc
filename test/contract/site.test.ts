// The site that Eleventy makes of the documents: each link leads to a page and a heading that are there.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const eleventy = join(root, "node_modules/@11ty/eleventy/cmd.cjs");

describe("the site", () => {
  const args = [eleventy, "--config=site/eleventy.config.mjs", "--to=json"];
  const output = execFileSync(process.execPath, args, {
    cwd: root,
    encoding: "utf8",
    stdio: "pipe",
    maxBuffer: 64 * 1024 * 1024,
  });
  const list = JSON.parse(output) as { url: string; content: string }[];
  const pages = new Map(list.map(({ url, content }) => [url.endsWith("/") ? `${url}index.html` : url, content]));

  it("has README.md and the documents in the tables of docs/README.md", () => {
    expect([...pages.keys()]).toEqual(
      expect.arrayContaining(["/index.html", "/docs/reference/INSTALL.html", "/SECURITY.html"]),
    );
    expect(pages.get("/docs/reference/INSTALL.html")).toMatch(
      /<a href="INSTALL\.html" aria-current="page">Install<\/a>/,
    );
  });

  it("links to pages, headings and pictures that are there", () => {
    const links = [...pages].flatMap(([page, content]) =>
      [...content.matchAll(/(?:href|src)="(?![a-z]+:)([^"#]*)(?:#([^"]*))?"/g)].map(([, path = "", anchor]) => ({
        page,
        target: path === "" ? page : posix.join(posix.dirname(page), path),
        anchor,
      })),
    );
    const isThere = ({ target, anchor }: (typeof links)[number]): boolean => {
      const content = pages.get(target);
      if (content === undefined) return existsSync(join(root, target)) || /^\/(?:simple|site)\.css$/.test(target);
      return anchor === undefined || content.includes(`id="${decodeURIComponent(anchor)}"`);
    };
    expect(links.length).toBeGreaterThan(500);
    expect(links.filter((link) => !isThere(link))).toEqual([]);
  });
});
