// Fails unless the tag, the repository and the package agree. Called by the release workflow with GITHUB_REF_NAME and
// GITHUB_REPOSITORY set; npm refuses provenance for a package whose `repository` is another one.
import { readFileSync } from "node:fs";

const { version, repository } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
const { GITHUB_REF_NAME: tag, GITHUB_REPOSITORY: name } = process.env;
const problems = [];
if (tag !== `v${version}`) problems.push(`the tag is ${tag}, but package.json has the version ${version}`);
if (repository.url !== `git+https://github.com/${name}.git`) {
  problems.push(`this is ${name}, but package.json has the repository ${repository.url}`);
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
