// The documentation as a site, by Eleventy: `npm run site` writes it into dist.site/. The pages are README.md and the documents
// in the tables of docs/README.md, so they read on GitHub as well as here.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { IdAttributePlugin } from "@11ty/eleventy";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path) => readFileSync(join(root, path), "utf8");
const { name, repository } = JSON.parse(read("package.json"));
const repositoryPage = repository.url.replace(/^git\+|\.git$/g, "");

const listed = [...read("docs/README.md").matchAll(/^\| \[([^\]]+)\]\(([^)]+\.md)\)/gm)];
/** Titles by path, in the order of the tables. */
const pages = new Map([
  ["README.md", "Start"],
  ["docs/README.md", "All pages"],
  ...listed.map(([, title, path]) => [posix.join("docs", path), title]),
]);

const fileOf = (path) => path.replace(/(^|\/)README\.md$/, "$1index.md").replace(/\.md$/, ".html");

/** To the page of a document; any other file of the repository is on GitHub. */
function linkFrom(page, href) {
  if (/^(?:[a-z]+:|#)/.test(href)) return href;
  const [path, anchor] = href.split("#");
  const target = relative(root, resolve(root, dirname(page), path)).replaceAll("\\", "/");
  if (!existsSync(join(root, target))) throw new Error(`${page} links to ${href}, which does not exist`);
  const file = pages.has(target)
    ? relative(dirname(fileOf(page)), fileOf(target)).replaceAll("\\", "/")
    : `${repositoryPage}/blob/main/${target}`;
  return anchor === undefined ? file : `${file}#${anchor}`;
}

/** As GitHub makes anchors of headings, since the documents link to those. */
function anchorOf(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(" ", "-");
}

export default function site(eleventy) {
  eleventy.addPlugin(IdAttributePlugin, { slugify: anchorOf });
  eleventy.amendLibrary("md", ({ renderer }) => {
    renderer.rules.link_open = (tokens, index, options, { source }, self) => {
      tokens[index].attrSet("href", linkFrom(source, tokens[index].attrGet("href")));
      return self.renderToken(tokens, index, options);
    };
    // A wide table scrolls by itself, so that a phone shows the text at its own width.
    renderer.rules.table_open = () => '<div class="table"><table>\n';
    renderer.rules.table_close = () => "</table></div>\n";
  });
  for (const [path, title] of pages) {
    const links = [...pages].map(([other, text]) => ({
      text,
      href: linkFrom(path, relative(dirname(path), other)),
      isHere: other === path,
    }));
    const top = "../".repeat(path.split("/").length - 1);
    const data = { layout: "page.njk", permalink: fileOf(path), source: path, title, name, top, links, repositoryPage };
    eleventy.addTemplate(path, read(path), data);
  }
  eleventy.addPassthroughCopy({
    "docs/images": "docs/images",
    "node_modules/simpledotcss/simple.css": "simple.css",
    "site/site.css": "site.css",
  });
  return {
    dir: { input: "site", includes: ".", output: "dist.site" },
    markdownTemplateEngine: false,
    templateFormats: ["md"],
  };
}
