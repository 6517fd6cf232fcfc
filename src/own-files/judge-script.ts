// Tells whether hookbell wrote a hook script, and which version of it: by the digest of the text without the paths that `init` fills in.
import { sha256 } from "../system/crypto.ts";
import { emptyScripts, releasedScripts, type ScriptName } from "./released-scripts.ts";

/**
 * `current`: of this version, with whichever paths; `older`: of an earlier one; `other`: of another hookbell that is installed
 * here, such as a newer one; `empty`: as `uninstall` leaves it; `changed`: hookbell did not write it so.
 */
export type ScriptJudgement = "current" | "older" | "other" | "empty" | "changed";

/** What `init` may have filled in. */
export interface KnownPaths {
  isHook(hookPath: string): boolean;
  /** The path of Node is as the script has it. */
  isNode(nodePath: string): boolean;
}

/** As they are in `hooks/` of a package. */
export interface Templates {
  own: string | undefined;
  /** They are of other packages; called only for a text that no version is known to have had. */
  others(): readonly string[];
}

/** Judges the text byte for byte: a script with other line ends counts as changed. */
export function judgeScript(name: ScriptName, text: string, known: KnownPaths, templates: Templates): ScriptJudgement {
  if (text === emptyScripts[name]) return "empty";
  const script = takeApart[name](text);
  if (script === undefined || !areKnown(script, known)) return "changed";
  if (script.template === templates.own) return "current";
  if (releasedScripts[name].includes(sha256(script.template))) return "older";
  return templates.others().includes(script.template) ? "other" : "changed";
}

interface Script {
  template: string;
  nodePath?: string;
  hookPath?: string;
}

function areKnown({ nodePath, hookPath }: Script, known: KnownPaths): boolean {
  return (nodePath === undefined || known.isNode(nodePath)) && (hookPath === undefined || known.isHook(hookPath));
}

/**
 * Undefined where a value is not in the form in which `init` writes it: it could end its quotes, and be a command. Since what is
 * left is compared as a whole, a value can only stand where the template has one.
 */
const takeApart: Readonly<Record<ScriptName, (text: string) => Script | undefined>> = {
  "hookbell-hook.sh": (text) => {
    const [nodePath, dist] = ["node", "dist"].map((name) => shellLine(name).exec(text)?.[1]?.replaceAll("'\\''", "'"));
    if (nodePath === undefined || dist === undefined) return undefined;
    const template = text.replace(shellLine("node"), "node='@NODE@'").replace(shellLine("dist"), "dist='@DIST@'");
    return { template, nodePath, hookPath: `${dist}/hook.cjs` };
  },
  "hookbell-hook.cmd": (text) => {
    const lines = text.replaceAll("\r\n", "\n");
    if (lines.includes("\r") || lines.replaceAll("\n", "\r\n") !== text) return undefined;
    const nodePath = cmdLine.exec(lines)?.[1];
    if (nodePath === undefined || expandsInCmd(nodePath)) return undefined;
    const template = lines.replace(cmdLine, 'set "node=@NODE@"');
    // Without a path, the script looks for Node itself.
    return nodePath === "" ? { template } : { template, nodePath };
  },
  "hookbell-hook.cjs": (text) => {
    const hookPath = parsedString(nodeLine.exec(text)?.[1]);
    return hookPath === undefined
      ? undefined
      : { template: text.replace(nodeLine, 'const hook = "@HOOK@";'), hookPath };
  },
};

/** The word that `shellQuoted` writes. */
function shellLine(name: string): RegExp {
  return new RegExp(`^${name}='((?:[^'\n]|'\\\\'')*)'$`, "m");
}

const cmdLine = /^set "node=([\x20\x21\x23-\x7e]*)"$/m;

/** All but doubled percent signs and the variable with which `nodeForCmd` writes a home. */
function expandsInCmd(value: string): boolean {
  return value
    .replace(/^%USERPROFILE%/, "")
    .replaceAll("%%", "")
    .includes("%");
}

const nodeLine = /^const hook = ("(?:[^"\\\n]|\\.)*");$/m;

function parsedString(literal: string | undefined): string | undefined {
  try {
    const value: unknown = JSON.parse(literal ?? "");
    return typeof value === "string" && JSON.stringify(value) === literal ? value : undefined;
  } catch {
    return undefined;
  }
}
