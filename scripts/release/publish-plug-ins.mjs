// Publishes the plug-ins as a repository of its own: node scripts/release/publish-plug-ins.mjs FOLDER REPOSITORY VERSION. Its
// branch `main` is what marketplaces read, and `gemini-cli` has Gemini CLI's extension at its root. After the first stable version, one
// such as 1.1.0-rc.1 goes to `next` and `gemini-cli-next`, so that only those who ask for it get it. Each version also is a tag.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [folder, repository, version] = process.argv.slice(2);
if (version === undefined) throw new Error("expected three arguments: FOLDER REPOSITORY VERSION");
const work = mkdtempSync(join(tmpdir(), "hookbell-publish-"));
const git = (...args) => execFileSync("git", args, { cwd: work, encoding: "utf8" }).trim();
try {
  git("init", "--quiet");
  git("config", "user.name", "hookbell");
  git("config", "user.email", "hookbell@users.noreply.github.com");
  cpSync(folder, work, { recursive: true });
  // An ignore file of the person who publishes must not leave anything out.
  git("add", "--all", "--force");
  const isStablePublished = /refs\/tags\/v\d+\.\d+\.\d+$/m.test(git("ls-remote", "--tags", repository));
  const isNext = version.includes("-") && isStablePublished;
  const [branch, geminiBranch] = isNext ? ["next", "gemini-cli-next"] : ["main", "gemini-cli"];
  const message = `hookbell ${version}`;
  const commitOn = (name, tree) => {
    const parents = git("ls-remote", repository, `refs/heads/${name}`) === "" ? [] : ["-p", fetched(name)];
    return git("commit-tree", tree, ...parents, "-m", message);
  };
  const tree = git("write-tree");
  const commit = commitOn(branch, tree);
  const gemini = commitOn(geminiBranch, git("rev-parse", `${tree}:gemini-cli`));
  const pushed = [`${commit}:refs/heads/${branch}`, `${gemini}:refs/heads/${geminiBranch}`];
  git("push", "--quiet", "--atomic", repository, ...pushed, `${commit}:refs/tags/v${version}`);
} finally {
  rmSync(work, { recursive: true, force: true });
}

function fetched(name) {
  git("fetch", "--quiet", "--depth", "1", repository, `refs/heads/${name}`);
  return git("rev-parse", "FETCH_HEAD");
}
