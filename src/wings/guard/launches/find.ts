// Finds what makes this machine's agents start programs: reads the files of the table of places, each again only when it has changed.
import { basename, dirname, join, relative } from "node:path";
import { placeFolder } from "../../../agents/hook-setup.ts";
import { findHookSetup } from "../../../agents/hook-setups.ts";
import { splitCommand } from "../../../install/command/owner.ts";
import { maxSettingsBytes } from "../../../install/target/read-settings.ts";
import { codeOf } from "../../../model/errors.ts";
import { objectOf, parseJson, textOf } from "../../../model/json.ts";
import { pathBelow } from "../../../model/places/folder.ts";
import { sha256 } from "../../../system/crypto.ts";
import type { Environment } from "../../../system/environment.ts";
import { listEveryName, stampOf, tryToStat } from "../../../system/files/files.ts";
import { findWorkTree } from "../../../system/files/git.ts";
import { isLink, realPathOf } from "../../../system/files/inspect-path.ts";
import { notRegular, readStartIfThere } from "../../../system/files/read.ts";
import { idOf, type Launch, type LaunchInFile, type Script } from "./launch.ts";
import { type PlaceContent, type Place, placesOf, plugInFolders, plugInLists, type Scope } from "./places.ts";
import { readLaunches } from "./read.ts";

export interface Machine {
  env: Environment;
  home: string;
  platform: NodeJS.Platform;
  /** A folder that holds the machine's own settings in place of `/`: tests have one. */
  systemRoot?: string;
}

/** A file that is there. */
export interface LookedAt {
  agent: string;
  scope: Scope;
  path: string;
  project?: string;
  /** What a person should know of it. */
  notes: string[];
  settings: Readonly<Record<string, unknown>>;
  launches: Launch[];
  /** It is not whole: an agent may be writing it at this moment. */
  isTorn: boolean;
}

interface FilePlace {
  agent: string;
  scope: Scope;
  content: PlaceContent;
  path: string;
  doubt?: Place["doubt"];
  /** The same for this file in each work tree of a repository. */
  place: string;
  project?: string;
}

/** The folder of a session, and the top of its work tree. */
interface ProjectRoot {
  root: string;
  /** The same for this folder in each work tree of its repository. */
  key: string;
}

interface Kept {
  signature: string;
  scripts: readonly string[];
  found: LookedAt;
  readAt: number;
}

/** Some agents write their state into the file that has their servers, at each prompt. A large one is read again only after this. */
const largeBytes = 256 * 1024;
const largeAgainMs = 30_000;
const rootsAgainMs = 60_000;

export class LaunchFinder {
  readonly #machine: Machine;
  readonly #kept = new Map<string, Kept>();
  /** The names in each folder, during one look. */
  #names = new Map<string, readonly string[] | undefined>();
  readonly #roots = new Map<string, { foundAt: number; roots: readonly ProjectRoot[] }>();
  readonly #listed = new Map<string, { signature: string; folders: readonly string[] }>();

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  /** `projects` are folders of sessions. `nowMs` decides only when a large file is read again. */
  look(projects: readonly string[], nowMs: number, agents: readonly string[] = Object.keys(placesOf)): LookedAt[] {
    this.#names = new Map();
    const roots = projects.flatMap((project) => this.#rootsOf(project, nowMs));
    const files = agents.flatMap((agent) => this.#filesOf(agent, roots));
    const seen = new Set<string>();
    const found = files.flatMap((file) => {
      const key = `${file.agent}\n${file.path}`;
      if (seen.has(key)) return [];
      seen.add(key);
      return this.#read(key, file, nowMs) ?? [];
    });
    for (const key of this.#kept.keys()) if (!seen.has(key)) this.#kept.delete(key);
    return found;
  }

  #filesOf(agent: string, roots: readonly ProjectRoot[]): FilePlace[] {
    const { env, home, platform, systemRoot = "" } = this.#machine;
    const folder = findHookSetup(agent)?.folders[0];
    const own = folder === undefined ? undefined : placeFolder(folder, env, home);
    const places = placesOf[agent] ?? [];
    const of = (place: Place, root: string | undefined, more: Pick<FilePlace, "project"> & { key?: string } = {}) => {
      if (root === undefined) return [];
      const { key, ...rest } = more;
      const pattern = place.from === "system" ? place.path : patternOf(place, platform);
      return this.#expand(root, pattern).map((path) => ({
        agent,
        scope: place.scope,
        content: place.content,
        ...(place.doubt === undefined ? {} : { doubt: place.doubt }),
        path,
        place: key === undefined ? path : `${key}\n${relative(root, path)}`,
        ...rest,
      }));
    };
    const isMoved = folder !== undefined && own !== join(home, folder.path);
    return places.flatMap((place): FilePlace[] => {
      if (place.onlyIf !== undefined && (place.onlyIf === "moved") !== isMoved) return [];
      if (place.from === "agent") return of(place, own);
      if (place.from === "home") return of(place, home);
      if (place.from === "system") {
        const drive = /^[A-Za-z]:[\\/]/.exec(patternOf(place, platform))?.[0];
        return of(
          { ...place, path: patternOf(place, platform).slice(drive?.length ?? 0) },
          systemRoot || (drive ?? "/"),
        );
      }
      if (place.from === "plugIns") return this.#plugInsOf(agent, own).flatMap((root) => of(place, root));
      return roots.flatMap(({ root, key }) => of(place, root, { project: root, key }));
    });
  }

  #plugInsOf(agent: string, folder: string | undefined): string[] {
    if (folder === undefined) return [];
    const list = plugInLists[agent];
    const listed = list === undefined ? [] : this.#foldersListed(join(folder, list.file), list.member);
    return [...listed, ...(plugInFolders[agent] ?? []).flatMap((pattern) => this.#expand(folder, pattern))];
  }

  /** A folder becomes a work tree, or ceases to be one, rarely. */
  #rootsOf(project: string, nowMs: number): readonly ProjectRoot[] {
    const kept = this.#roots.get(project);
    if (kept !== undefined && Math.abs(nowMs - kept.foundAt) < rootsAgainMs) return kept.roots;
    const roots = rootsOf(project, this.#machine.home);
    this.#roots.set(project, { foundAt: nowMs, roots });
    return roots;
  }

  #foldersListed(path: string, member: string): readonly string[] {
    const signature = signatureOf(path);
    const kept = this.#listed.get(path);
    if (kept?.signature === signature) return kept.folders;
    const folders = foldersListed(path, member);
    this.#listed.set(path, { signature, folders });
    return folders;
  }

  /** Only what is there: most of these files are not, and asking for each would cost more than one look at the folder above. */
  #expand(root: string, pattern: string): string[] {
    let found = [root];
    for (const part of pattern.split(/[\\/]/).filter((each) => each !== "")) {
      found = found.flatMap((folder) => {
        const names = this.#namesIn(folder);
        if (!/[*?]/.test(part)) {
          // A folder that may not be listed may still be entered.
          if (names === undefined) return tryToStat(join(folder, part)) === undefined ? [] : [join(folder, part)];
          return names.filter((name) => this.#isSame(name, part)).map((name) => join(folder, name));
        }
        if (names === undefined) return [];
        const expression = expressionOf(part);
        return names.filter((name) => expression.test(name) && !ownBackup.test(name)).map((name) => join(folder, name));
      });
    }
    return found;
  }

  /** These systems take a name in other letters for the same. */
  #isSame(name: string, part: string): boolean {
    const { platform } = this.#machine;
    if (platform !== "win32" && platform !== "darwin") return name === part;
    return name.toLowerCase() === part.toLowerCase();
  }

  /** Undefined where it may not be listed. */
  #namesIn(folder: string): readonly string[] | undefined {
    if (!this.#names.has(folder)) this.#names.set(folder, namesIn(folder));
    return this.#names.get(folder);
  }

  #read(key: string, file: FilePlace, nowMs: number): LookedAt | undefined {
    const kept = this.#kept.get(key);
    const stats = tryToStat(file.path);
    if (stats?.isFolder === true) return undefined;
    const signature = [file.path, ...(kept?.scripts ?? [])].map(signatureOf).join(" ");
    const isLarge = (stats?.bytes ?? 0) > largeBytes;
    if (kept !== undefined && (kept.signature === signature || (isLarge && nowMs - kept.readAt < largeAgainMs))) {
      return kept.found;
    }
    const { found, scripts } = this.#readAgain(file);
    const next = [file.path, ...scripts].map(signatureOf).join(" ");
    this.#kept.set(key, { signature: next, scripts, found, readAt: nowMs });
    return found;
  }

  #readAgain({ content, place, doubt, ...file }: FilePlace): { found: LookedAt; scripts: string[] } {
    const { agent, path } = file;
    const notes = isLink(path) ? [`is a link to ${realPathOf(path) ?? "nothing"}`] : [];
    const unread = (why: string, limit?: string): { found: LookedAt; scripts: string[] } => {
      const launches = limit === undefined ? [] : [this.#unreadable(limit, { content, place, ...file })];
      return { found: { ...file, notes: [...notes, why], settings: {}, launches, isTorn: true }, scripts: [] };
    };
    try {
      const bytes = readStartIfThere(path, maxSettingsBytes + 1);
      if (bytes === undefined) return unread("leads nowhere");
      if (bytes.length > maxSettingsBytes) {
        const why = `has more than ${maxSettingsBytes} bytes`;
        return unread(why, why);
      }
      const read = readLaunches(bytes.toString("utf8"), basename(path), content);
      const scripts: string[] = [];
      const launches = read.launches.map((launch): Launch => {
        const whole = launch.kind === "code" && launch.at.length === 0 ? { ...launch, around: sha256(bytes) } : launch;
        const named = this.#scriptsOf(whole, file);
        scripts.push(...named);
        const digests = named.flatMap((script) => digestOf(script) ?? []);
        const ids = idOf(whole, { agent, place }, digests);
        return { ...whole, ...ids, ...file, content, scripts: digests, ...doubtOf(whole, doubt) };
      });
      if (read.limit !== undefined) launches.push(this.#unreadable(read.limit, { content, place, ...file }));
      const found = {
        ...file,
        notes: [...notes, ...read.notes],
        settings: read.settings,
        launches,
        isTorn: read.isTorn,
      };
      return { found, scripts: [...new Set(scripts)] };
    } catch (error) {
      if (codeOf(error) === notRegular) return unread("is no regular file");
      // One file that no parser gets through keeps no other from being looked at.
      const why = codeOf(error) === undefined ? "is nested too deeply to read" : `cannot be read (${codeOf(error)})`;
      return unread(why, codeOf(error) === undefined ? why : undefined);
    }
  }

  /** The agent may start what hookbell cannot read. */
  #unreadable(limit: string, { place, ...file }: Omit<FilePlace, "doubt">): Launch {
    const launch: LaunchInFile = { kind: "code", name: "unread", command: `${file.path} ${limit}`, line: 1, at: [] };
    return { ...launch, ...idOf(launch, { agent: file.agent, place }, []), ...file, scripts: [] };
  }

  /** A program that is known may begin to do something else: files of the user's own that a command names are watched as well. */
  #scriptsOf({ kind, command }: LaunchInFile, { path, project }: Pick<FilePlace, "path" | "project">): string[] {
    if (kind === "code") return [];
    const { home } = this.#machine;
    // The expression that splits a command into words is no match for megabytes.
    const start = command.slice(0, maxCommandLength);
    const words = splitCommand(start) ?? start.split(/[\s"'();&|<>]+/);
    const folder = project ?? dirname(path);
    const found = words.slice(0, maxWords).flatMap((word, index) => {
      const named = resolveWord(word, { home, folder, root: rootOfPlugIn(path) });
      // Data that a program writes is no script of its.
      const isScript = index === 0 || /\.(?:[cm]?[jt]s|sh|bash|zsh|fish|py|rb|pl|php|lua|ps1|cmd|bat)$/i.test(word);
      const isOwn = named !== undefined && [home, folder].some((above) => pathBelow(above, named) !== undefined);
      return isScript && isOwn && !/[\\/]node_modules[\\/]/.test(named) ? [named] : [];
    });
    return [...new Set(found)].slice(0, maxScripts);
  }
}

function doubtOf({ kind }: LaunchInFile, doubt: Place["doubt"]): { doubt?: string } {
  const why = kind === "hook" || kind === "server" ? doubt?.[kind] : undefined;
  return why === undefined ? {} : { doubt: why };
}

function rootsOf(project: string, home: string): ProjectRoot[] {
  const tree = findWorkTree(project, home);
  if (tree === undefined) return [{ root: project, key: project }];
  const roots = tree.root === project ? [project] : [project, tree.root];
  return roots.map((root) => ({ root, key: `${tree.shared}\n${relative(tree.root, root)}` }));
}

const maxCommandLength = 20_000;
const maxWords = 50;
const maxScripts = 4;

/** An absolute path, if the word can be one. */
function resolveWord(
  word: string,
  { home, folder, root }: { home: string; folder: string; root: string },
): string | undefined {
  const path = word
    .replace(/^~(?=[\\/])|\$\{?HOME\}?/, () => home)
    .replace(/\$\{?(?:CLAUDE|FACTORY|DROID|GEMINI|QWEN|CODEBUDDY|CURSOR)_PROJECT_DIR\}?/, () => folder)
    .replace(/\$\{?(?:CLAUDE_PLUGIN_ROOT|DROID_PLUGIN_ROOT|PLUGIN_ROOT|extensionPath)\}?/, () => root);
  if (/[$*\n]/.test(path) || path.length > 1000) return undefined;
  if (/^(?:[\\/]|[A-Za-z]:[\\/])/.test(path)) return path;
  // A program of the PATH is no file of the folder.
  return /[\\/]|\.\w{1,4}$/.test(path) && !path.startsWith("-") && !path.includes("://")
    ? join(folder, path)
    : undefined;
}

/** The plug-in's folder is above its `hooks/`, or has the file itself. */
function rootOfPlugIn(path: string): string {
  const folder = dirname(path);
  return /^(?:hooks|monitors|\.claude-plugin|\.codex-plugin)$/.test(basename(folder)) ? dirname(folder) : folder;
}

function digestOf(path: string): Script | undefined {
  try {
    const bytes = readStartIfThere(path, maxSettingsBytes);
    return bytes === undefined ? undefined : { path, digest: sha256(bytes) };
  } catch {
    return undefined;
  }
}

function signatureOf(path: string): string {
  return stampOf(path)?.text ?? "-";
}

function patternOf({ path, elsewhere }: Place, platform: NodeJS.Platform): string {
  return elsewhere?.[platform] ?? path;
}

function expressionOf(part: string): RegExp {
  const escaped = part.replace(/[.+^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replaceAll("*", ".*").replaceAll("?", ".")}$`, "s");
}

/** No agent looks for a file of such a name. */
const ownBackup = /\.hookbell-backup-[\dT.Z-]+$/;

function namesIn(folder: string): readonly string[] | undefined {
  try {
    return listEveryName(folder);
  } catch {
    return undefined;
  }
}

const maxPlugIns = 200;

/** The texts of this member, wherever they stand. */
function foldersListed(path: string, member: string): string[] {
  let text: string | undefined;
  try {
    text = readStartIfThere(path, maxSettingsBytes)?.toString("utf8");
  } catch {
    // Without a list there are no plug-ins that hookbell could name.
  }
  const found = new Set<string>();
  const walk = (value: unknown, depth: number): void => {
    if (depth > 6 || found.size >= maxPlugIns) return;
    const named = textOf(objectOf(value)[member]);
    if (named !== undefined) found.add(named);
    for (const inner of Array.isArray(value) ? value : Object.values(objectOf(value))) walk(inner, depth + 1);
  };
  walk(text === undefined ? undefined : parseJson(text), 0);
  return [...found];
}
