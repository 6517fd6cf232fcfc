// Which repository and which line of work a readiness report is of, however its address and its branch are spelled. Pure.

/**
 * `host/path` in lower case: `https://GitHub.com:443/a/b.git/`, `ssh://git@github.com:22/a/b` and `git@github.com:a/b` are one
 * repository. The port is left out, since that of ssh and that of https always differ.
 */
export function repositoryOf(address: string): string {
  const text = address.trim();
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(text);
  const path = text
    .replace(/^[a-z][a-z\d+.-]*:\/\//i, "")
    .replace(/^[^@/]*@/, "")
    .replace(hasScheme ? /^([^/:]+):\d*(?=\/|$)/ : /^([^/:]+):(?:\d+(?=\/))?\/?/, hasScheme ? "$1" : "$1/")
    .replace(/^([^/]+)\/\/+/, "$1/");
  return path
    .replace(/(?<!\/)\/+$/, "")
    .replace(/\.git$/i, "")
    .toLowerCase();
}

/** An address may carry a password or a token, which no one who reads a report needs. */
export function withoutPassword(address: string): string {
  return address
    .replace(/^(\s*https?:\/\/)[^@/]*@/i, "$1")
    .replace(/^(\s*[a-z][a-z\d+.-]*:\/\/[^@/:]*):[^@/]*@/i, "$1@");
}

/** `acme/shop` of `https://git.example.com/acme/shop.git`, as tables and messages show it. */
export function repositoryName(repoUrl: string): string {
  const parts = repoUrl
    .split(/[/:]/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  return (
    parts
      .slice(-2)
      .join("/")
      .replace(/\.git$/i, "") || repoUrl
  );
}

/** Whether a person means this repository: by its address in any form, or by the name that tables show. */
export function isNamed(repoUrl: string, wanted: string): boolean {
  return (
    repositoryOf(repoUrl) === repositoryOf(wanted) ||
    repositoryName(repoUrl).toLowerCase() === wanted.trim().toLowerCase()
  );
}

/** The document does not say which branch is the default one; a report that names no branch counts as one of it. */
const defaultBranches: ReadonlySet<string> = new Set(["", "main", "master", "trunk"]);

/** The same for two reports whose criteria can be compared. Empty for the default branch. */
export function lineOf(branch: string | undefined): string {
  const name = (branch ?? "").replace(/^refs\/(?:heads|remotes\/[^/]+)\//, "");
  return defaultBranches.has(name) ? "" : name;
}
