// The release notes of a version: its section of CHANGELOG.md. Called by the release workflow:
// node scripts/release/release-notes.mjs VERSION >notes.md
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

/** Throws if the changelog has no section of this version, or an empty one. */
export function releaseNotes(changelog, version) {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => text.split(/[\s(]/, 1)[0] === version);
  if (section === undefined) {
    const headings = sections.map((text) => text.split("\n", 1)[0]).join(", ");
    throw new Error(`CHANGELOG.md has no section "## ${version}", only: ${headings}`);
  }
  const notes = section.slice(section.indexOf("\n")).trim();
  if (notes === "") throw new Error(`the section "## ${version}" of CHANGELOG.md is empty`);
  return `${notes}\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const changelog = readFileSync(new URL("../../CHANGELOG.md", import.meta.url), "utf8");
  process.stdout.write(releaseNotes(changelog, process.argv[2] ?? ""));
}
