// Publishes the package to npm, unless this version is there: node scripts/release/publish.mjs [--check]. --check publishes nothing, and
// fails where publishing would fail for want of the package. Called by the release workflow, which npm trusts in place of a token.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

/**
 * The tag under which a version is published, or undefined if it is published already. `npx hookbell` takes `latest`: before the
 * first stable version, that is the newest one, and later a version such as 1.1.0-rc.1 is `next`.
 */
export function tagFor(version, published) {
  if (published.includes(version)) return undefined;
  const isStable = (each) => /^[1-9]\d*\.\d+\.\d+$/.test(each);
  return isStable(version) || !published.some(isStable) ? "latest" : "next";
}

/** Throws if npm has no such package: it trusts a workflow only for a package that exists. https://github.com/npm/cli/issues/8544 */
function publishedVersions(name) {
  const { status, stdout, stderr } = npm(["view", name, "versions", "--json"], "pipe");
  if (status !== 0) {
    const why = /E404/.test(`${stdout}${stderr}`) ? `npm has no package ${name} yet` : stderr.trim();
    throw new Error(`${why}; CONTRIBUTING.md says what a first release needs`);
  }
  return [JSON.parse(stdout)].flat();
}

function npm(args, stdio) {
  return spawnSync("npm", args, { encoding: "utf8", stdio });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { name, version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  const tag = tagFor(version, publishedVersions(name));
  if (tag === undefined) console.log(`npm has ${name} ${version} already`);
  else if (process.argv[2] === "--check") console.log(`${name} ${version} will be published as ${tag}`);
  else process.exitCode = npm(["publish", "--provenance", "--access", "public", "--tag", tag], "inherit").status ?? 1;
}
