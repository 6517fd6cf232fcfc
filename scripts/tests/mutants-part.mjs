// A plugin of Stryker: leaves out all but a part of the code, by declaration, so that a run with many files ends in bearable time.
import { createHash } from "node:crypto";

/** Such as 1/4: the first of four parts, which have no declaration in common. */
const [part, parts] = (process.env.HOOKBELL_MUTANTS_PART ?? "1/1").split("/").map(Number);

/** Babel's path of a node: https://stryker-mutator.io/docs/stryker-js/disable-mutants/#using-an-ignore-plugin */
function shouldIgnore(path) {
  if (parts === 1 || path.parentPath?.isProgram() !== true) return undefined;
  const digest = createHash("sha256").update(path.toString()).digest();
  return digest.readUInt32BE() % parts === part - 1 ? undefined : `not in part ${part} of ${parts}`;
}

export const strykerPlugins = [{ kind: "Ignore", name: "part", value: { shouldIgnore } }];
