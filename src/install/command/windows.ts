// The forms that a command has on Windows, one for each way in which agents run it. cmd.exe looks for a program in the current
// folder before PATH, and that folder is a project that may be a stranger's: so no form has a program without its whole path.
import type { WindowsShell } from "../../agents/hook-setup.ts";
import { powerShellLine, shellWord } from "../../model/text.ts";

/** The paths are absolute and outlive updates where possible. */
export interface InstalledFiles {
  nodePath: string;
  hookPath: string;
  /** Undefined where it cannot run. On Windows, the one for cmd.exe. */
  scriptPath?: string | undefined;
  /** The path of cmd.exe. */
  cmdPath?: string | undefined;
}

/** The Node program beside the script for cmd.exe: it needs no shell. */
export function programBeside(scriptPath: string): string {
  return scriptPath.replace(/\.cmd$/, ".cjs");
}

const usualCmdPath = "C:\\Windows\\System32\\cmd.exe";

/** The program and its arguments, where those who start it are sure to give it the arguments: hookbell's own plug-ins. */
export function windowsArgv(installation: InstalledFiles, args: readonly string[]): [string, ...string[]] {
  const { nodePath, scriptPath } = installation;
  return scriptPath !== undefined && !isLasting(nodePath) && isReadAlike(scriptPath)
    ? [installation.cmdPath ?? usualCmdPath, "/d", "/c", scriptPath, ...args]
    : nodeArgv(installation, args);
}

/**
 * The program and its arguments for settings. Other agents, and earlier releases, run these hooks as well and may know no
 * arguments: Node then refuses the payload, while cmd.exe would run what is in it.
 */
export function nodeArgv(installation: InstalledFiles, args: readonly string[]): [string, ...string[]] {
  return [withSlashes(installation.nodePath), withSlashes(programOf(installation)), ...args];
}

/** The line that Git Bash and PowerShell read alike, for when the only Node is in a folder of one version. */
export function lineInsteadOfNode(
  { nodePath, scriptPath }: InstalledFiles,
  args: readonly string[],
): string | undefined {
  const isDue = scriptPath !== undefined && !isLasting(nodePath) && isPlain(scriptPath);
  return isDue ? [withSlashes(scriptPath), ...args].join(" ") : undefined;
}

/** The line that a shell is given. `args` need no quotes in any shell. */
export function windowsLine(installation: InstalledFiles, args: readonly string[], shell: WindowsShell): string {
  const { scriptPath, nodePath } = installation;
  const argv = windowsArgv(installation, args);
  if (shell === "powershell") return powerShellLine(argv);
  const isNode = scriptPath === undefined || argv[0] === withSlashes(nodePath);
  if (shell === "bash") return (isNode ? argv : [withSlashes(scriptPath), ...args]).map(shellWord).join(" ");
  // Without quotes, any of these shells and an agent that splits the line itself read it alike.
  if (scriptPath !== undefined && isPlain(scriptPath)) return [scriptPath, ...args].join(" ");
  if (scriptPath !== undefined && shell === "any" && isReadAlike(scriptPath)) {
    return `${installation.cmdPath ?? usualCmdPath} /d /c call "${scriptPath}" ${args.join(" ")}`;
  }
  // The @ comes first since cmd.exe drops a quote in front, and the last one. PowerShell refuses this line, and runs nothing.
  const words = isNode ? [nodePath, programOf(installation)] : [scriptPath];
  return `@${words.map((word) => `"${word}"`).join(" ")} ${args.join(" ")}`;
}

function programOf({ scriptPath, hookPath }: InstalledFiles): string {
  return scriptPath === undefined ? hookPath : programBeside(scriptPath);
}

/** Neither a folder of one version, which goes with the next update, nor one of a shell or of a project. */
export function isLasting(nodePath: string): boolean {
  const folders = nodePath.split(/[\\/]/).slice(0, -1);
  return !folders.some((name) => /^v?\d+\.\d+|^(?:fnm_multishells|temp|node_modules|_npx)$/i.test(name));
}

/** Means the same to cmd.exe, PowerShell and an agent that splits the line at blanks. */
function isPlain(path: string): boolean {
  return /^[A-Za-z]:(?:\\[\p{L}\p{N}_.~-]+)+$/u.test(path);
}

/** Means the same to cmd.exe with and without quotes around it, and to PowerShell in double quotes. */
function isReadAlike(path: string): boolean {
  return /^[A-Za-z]:(?:\\[\p{L}\p{N}_.~ -]+)+$/u.test(path);
}

function withSlashes(path: string): string {
  return path.replaceAll("\\", "/");
}
