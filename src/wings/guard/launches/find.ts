// Finds what makes this machine's agents start programs: reads the files of the table of places, each again only when it has changed.
import { getNodeValue } from "jsonc-parser";
import { basename, dirname, isAbsolute, join, relative } from "node:path";
import { placeFolder } from "../../../agents/hook-setup.ts";
import { findHookSetup } from "../../../agents/hook-setups.ts";
import { maxSettingsBytes } from "../../../install/target/read-settings.ts";
import { treeOf } from "../../../jsonc/parse.ts";
import { codeOf } from "../../../model/errors.ts";
import { listOf, objectOf, textOf } from "../../../model/json.ts";
import { pathBelow } from "../../../model/places/folder.ts";
import { sha256 } from "../../../system/crypto.ts";
import type { Environment } from "../../../system/environment.ts";
import { stampOf, tryToStat } from "../../../system/files/files.ts";
import { findWorkTree } from "../../../system/files/git.ts";
import { isLink, realPathOf } from "../../../system/files/inspect-path.ts";
import { notRegular, readStartIfThere } from "../../../system/files/read.ts";
import type { FolderNames } from "../../../system/files/watch.ts";
import { FileNames } from "./file-names.ts";
import { idOf, type Launch, type LaunchInFile } from "./launch.ts";
import {
  loadsLive,
  marketLists,
  type PlaceContent,
  type Place,
  placesOf,
  plugInFolders,
  plugInFoldersOfProject,
  plugInLists,
  projectFolders,
  type Scope,
} from "./places.ts";
import { readLaunches } from "./read.ts";
import { digestOf, scriptsOf } from "./scripts.ts";

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

/** Whether what a look did not find at a path is not there: the file was read as a whole, or there is none. */
export function wasLookedAt(files: readonly LookedAt[]): (path: string) => boolean {
  const read = new Set(files.flatMap(({ path, isTorn }) => (isTorn ? [] : path)));
  return (path) => read.has(path) || tryToStat(path) === undefined;
}

interface FilePlace {
  agent: string;
  scope: Scope;
  content: PlaceContent;
  path: string;
  doubt?: Place["doubt"];
  names?: Place["names"];
  /** The plug-in's folder, or the market's. */
  plugIn?: string;
  unlessNamed?: string;
  /** The files with the plug-ins that are installed or switched on, for a market. */
  installed?: readonly string[];
  /** The same for this file in each work tree of a repository. */
  place: string;
  project?: string;
}

/** What a file has beside what its place says. `key` is the root's, the same in each work tree. */
type MoreOfFile = Partial<Pick<FilePlace, "scope" | "project" | "plugIn" | "installed">> & { key?: string };

/** What was looked for, and what was there. */
interface Looked {
  file: FilePlace;
  found: LookedAt;
}

/** The folder of a session, the top of its work tree, or one between them. */
interface ProjectRoot {
  root: string;
  /** The same for this folder in each work tree of its repository. */
  key: string;
  isSession: boolean;
  isTop: boolean;
  /** It is above the work tree, or above the session's folder where there is no work tree. */
  above?: "tree" | "session";
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
/** Between two whole looks, it is enough that no folder and no file has changed. */
const wholeLookMs = 60_000;
/** What changed so shortly before it was read may have changed again in the same tick of the file system's clock. */
const unsureMs = 100;

/** What a look went by: every folder and file with its stamp, undefined if something had just changed. */
interface WholeLook {
  asked: string;
  lookedAt: number;
  stamps: ReadonlyMap<string, string> | undefined;
  files: readonly string[];
  found: LookedAt[];
}

export class LaunchFinder {
  readonly #machine: Machine;
  readonly #kept = new Map<string, Kept>();
  /** During one look. */
  #names: FileNames;
  readonly #roots = new Map<string, { foundAt: number; roots: readonly ProjectRoot[] }>();
  readonly #listed = new Map<string, { signature: string; folders: readonly string[] }>();
  #last: WholeLook | undefined;

  constructor(machine: Machine) {
    this.#machine = machine;
    this.#names = new FileNames(machine.platform);
  }

  /** `projects` are folders of sessions. `nowMs` decides only when a large file is read again. */
  look(projects: readonly string[], nowMs: number): LookedAt[] {
    const asked = projects.join("\n");
    const last = this.#last;
    const isRecent = last?.asked === asked && Math.abs(nowMs - last.lookedAt) < wholeLookMs;
    if (isRecent && last.stamps !== undefined && areStill(last.stamps)) return last.found;
    const found = this.#lookAtAll(projects, nowMs);
    const kept = [...this.#kept.values()].flatMap(({ found: { path }, scripts }) => [path, ...scripts]);
    const files = [...this.#listed.keys(), ...kept];
    this.#last = {
      asked,
      lookedAt: nowMs,
      stamps: stampAll([...this.#names.folders(), ...files], nowMs),
      files,
      found,
    };
    return found;
  }

  /** Where the next change of what the last look found would be. Undefined if it is not over: the next look may find more. */
  changes(): FolderNames | undefined {
    return this.#last?.stamps === undefined ? undefined : this.#names.asked.withWays(this.#last.files);
  }

  #lookAtAll(projects: readonly string[], nowMs: number): LookedAt[] {
    this.#names = new FileNames(this.#machine.platform);
    const roots = projects.flatMap((project) => this.#rootsOf(project, nowMs));
    const files = Object.keys(placesOf).flatMap((agent) => this.#filesOf(agent, roots));
    const seen = new Set<string>();
    const readOnce = (file: FilePlace): Looked[] => {
      const key = `${file.agent}\n${file.path}`;
      if (seen.has(key)) return [];
      seen.add(key);
      const found = this.#read(key, file, nowMs);
      return found === undefined ? [] : [{ file, found }, ...this.#namedBy(found, file).flatMap(readOnce)];
    };
    const looked = files.flatMap(readOnce);
    looked.push(...this.#liveMarkets(looked).flatMap(readOnce));
    looked.push(...this.#livePlugIns(looked).flatMap(readOnce));
    for (const key of this.#kept.keys()) if (!seen.has(key)) this.#kept.delete(key);
    return looked.filter(({ file }) => !isReplaced(file, looked)).map(({ found }) => found);
  }

  #filesOf(agent: string, roots: readonly ProjectRoot[]): FilePlace[] {
    const { env, home, platform, systemRoot = "" } = this.#machine;
    const folder = findHookSetup(agent)?.folders[0];
    const own = folder === undefined ? undefined : placeFolder(folder, env, home);
    const isUsed = own !== undefined && tryToStat(own)?.isFolder === true;
    const isMoved = folder !== undefined && own !== join(home, folder.path);
    const of = (place: Place, root: string | undefined, more?: MoreOfFile): FilePlace[] =>
      root === undefined ? [] : this.#filesAt(agent, place, root, more);
    return (placesOf[agent] ?? []).flatMap((place): FilePlace[] => {
      if (place.onlyIf !== undefined && (place.onlyIf === "moved") !== isMoved) return [];
      if (place.isShared === true && !isUsed) return [];
      if (place.from === "agent") return of(place, own);
      if (place.from === "home") return of(place, home);
      if (place.from === "system") {
        const drive = /^[A-Za-z]:[\\/]/.exec(patternOf(place, platform))?.[0];
        return of(
          { ...place, path: patternOf(place, platform).slice(drive?.length ?? 0) },
          systemRoot || (drive ?? "/"),
        );
      }
      if (place.from === "plugIns" || place.from === "markets") {
        if (place.from === "plugIns") {
          const ofProject = this.#plugInsOfProject(agent, roots);
          return [
            ...this.#plugInsOf(agent, own).flatMap((plugIn) => of(place, plugIn, { plugIn })),
            ...ofProject.flatMap((more) => of(place, more.plugIn, more)),
          ];
        }
        const installed = own === undefined ? [] : [join(own, plugInLists[agent]?.file ?? "")];
        return this.#listedIn(marketLists[agent], own).flatMap((plugIn) => of(place, plugIn, { plugIn, installed }));
      }
      return roots
        .filter((folder) => isRead(place.folders ?? projectFolders[agent], folder))
        .flatMap(({ root, key }) => of(place, root, { project: root, key }));
    });
  }

  #filesAt(agent: string, place: Place, root: string, { key, ...rest }: MoreOfFile = {}): FilePlace[] {
    const pattern = place.from === "system" ? place.path : patternOf(place, this.#machine.platform);
    return this.#names.matching(root, pattern).map((path) => ({
      agent,
      scope: place.scope,
      content: place.content,
      ...(place.doubt === undefined ? {} : { doubt: place.doubt }),
      ...(place.names === undefined ? {} : { names: place.names }),
      ...(place.unlessNamed === undefined ? {} : { unlessNamed: place.unlessNamed }),
      path,
      place: key === undefined ? path : `${key}\n${relative(root, path)}`,
      ...rest,
    }));
  }

  /** The lists of plug-ins in the folders that settings name, where they also switch plug-ins on. */
  #liveMarkets(looked: readonly Looked[]): FilePlace[] {
    const settings = looked.filter(({ file: { agent, scope } }) => loadsLive.has(agent) && scope !== "plug-in");
    const installed = settings.filter(({ found }) => found.settings.enabledPlugins !== undefined);
    return settings.flatMap(({ file: { agent, project }, found }) =>
      Object.values(objectOf(found.settings.extraKnownMarketplaces)).flatMap((market) => {
        const { source, path: named } = objectOf(objectOf(market).source);
        if (source !== "directory" || typeof named !== "string" || !(isAbsolute(named) || project !== undefined))
          return [];
        const folder = isAbsolute(named) ? named : join(project ?? "", named);
        const lists = installed.filter(({ file }) => file.agent === agent).map(({ file: { path } }) => path);
        const more = { plugIn: folder, installed: lists };
        return placesFrom(agent, "markets").flatMap((place) => this.#filesAt(agent, place, folder, more));
      }),
    );
  }

  /** The plug-ins of these lists that are switched on; those that only a project switches on are the project's. */
  #livePlugIns(looked: readonly Looked[]): FilePlace[] {
    const markets = looked.filter(({ file: { agent, content } }) => loadsLive.has(agent) && content.kind === "market");
    return markets.flatMap(({ file: list, found }) => {
      const { agent, plugIn: market = "" } = list;
      return listOf(found.settings.plugins).flatMap((entry) => {
        const { name, source } = objectOf(entry);
        const place = textOf(source);
        if (place === undefined) return [];
        const folder = join(market, place);
        const enabling = looked.filter(
          ({ file, found: { settings } }) =>
            file.agent === agent && enabledIn(settings).some((each) => each.startsWith(`${textOf(name)}@`)),
        );
        const [first] = enabling;
        if (first === undefined || pathBelow(market, folder) === undefined) return [];
        const isOwn = enabling.some(({ file: { project } }) => project === undefined);
        const { scope, project } = first.file;
        const more = { plugIn: folder, ...(isOwn || project === undefined ? {} : { scope, project }) };
        return [
          ...placesFrom(agent, "plugIns").flatMap((place) => this.#filesAt(agent, place, folder, more)),
          ...this.#namedIn(objectOf(entry), { ...list, ...more }),
        ];
      });
    });
  }

  #plugInsOf(agent: string, folder: string | undefined): string[] {
    if (folder === undefined) return [];
    return [...this.#listedIn(plugInLists[agent], folder), ...this.#plugInsIn(folder, plugInFolders[agent])];
  }

  #plugInsOfProject(agent: string, roots: readonly ProjectRoot[]): (MoreOfFile & { plugIn: string })[] {
    const read = roots.filter((root) => isRead("loose", root));
    return read.flatMap(({ root, key }) =>
      this.#plugInsIn(root, plugInFoldersOfProject[agent]).map((plugIn) => ({
        scope: "project" as const,
        project: root,
        plugIn,
        key: `${key}\n${relative(root, plugIn)}`,
      })),
    );
  }

  #plugInsIn(folder: string, patterns: readonly string[] = []): string[] {
    return patterns.flatMap((pattern) => {
      const found = this.#names.matching(folder, pattern);
      return pattern.endsWith("-plugin") ? found.map((path) => dirname(path)) : found;
    });
  }

  #listedIn(list: { file: string; member: string } | undefined, folder: string | undefined): readonly string[] {
    if (list === undefined || folder === undefined) return [];
    return this.#names.matching(folder, list.file).flatMap((path) => this.#foldersListed(path, list.member));
  }

  #namedBy({ settings }: LookedAt, file: FilePlace): FilePlace[] {
    // Its entries name files of their plug-ins.
    return file.content.kind === "market" ? [] : this.#namedIn(settings, file);
  }

  /** The files that a manifest names, as one text or as a list of them. */
  #namedIn(said: Readonly<Record<string, unknown>>, { names, place, ...manifest }: FilePlace): FilePlace[] {
    const { plugIn: root } = manifest;
    if (root === undefined) return [];
    return Object.entries(names ?? {}).flatMap(([member, { path: below, content, beside }]) => {
      const value = said[member];
      const folder = beside === true ? relative(root, dirname(manifest.path)) : "";
      const named = (Array.isArray(value) ? value : [value]).flatMap((each: unknown) => textOf(each) ?? []);
      return named.slice(0, maxNamed).flatMap((name) => {
        // Agents refuse what is not below the plug-in.
        if (pathBelow(root, join(root, folder, name)) === undefined) return [];
        return this.#names.matching(root, join(folder, name, below)).map((path) => ({
          ...manifest,
          content,
          path,
          place: `${place}\n${relative(root, path)}`,
        }));
      });
    });
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

  #read(key: string, file: FilePlace, nowMs: number): LookedAt | undefined {
    const kept = this.#kept.get(key);
    const stats = tryToStat(file.path);
    // Patterns of files with code find folders as well, which have nothing to do with it.
    if (stats?.isFolder === true && file.content.kind !== "settings") return undefined;
    // Another setting may have made it the project's, or another list may say what is installed.
    const around = [file.scope, file.project, ...(file.installed ?? [])].join("\n");
    const signature = [around, ...[file.path, ...(kept?.scripts ?? [])].map(signatureOf)].join(" ");
    const isLarge = (stats?.bytes ?? 0) > largeBytes;
    if (kept !== undefined && (kept.signature === signature || (isLarge && nowMs - kept.readAt < largeAgainMs))) {
      return kept.found;
    }
    const { found, scripts } = this.#readAgain(file);
    const next = [around, ...[file.path, ...scripts].map((path) => signatureUnlessNew(path, nowMs))].join(" ");
    this.#kept.set(key, { signature: next, scripts, found, readAt: nowMs });
    return found;
  }

  #readAgain({ content, place, doubt, names: _, unlessNamed: __, installed = [], plugIn, ...file }: FilePlace): {
    found: LookedAt;
    scripts: string[];
  } {
    const { agent, path } = file;
    const target = isLink(path) ? realPathOf(path) : undefined;
    const notes = target === undefined ? [] : [`is a link to ${target}`];
    const unread = (why: string, limit?: string): { found: LookedAt; scripts: string[] } => {
      const launches = limit === undefined ? [] : [this.#unreadable(limit, { content, place, ...file })];
      return { found: { ...file, notes: [...notes, why], settings: {}, launches, isTorn: true }, scripts: [] };
    };
    try {
      const bytes = readStartIfThere(path, maxSettingsBytes + 1);
      if (bytes === undefined) return unread("is a link that leads nowhere");
      if (bytes.length > maxSettingsBytes) {
        const why = `has more than ${maxSettingsBytes} bytes`;
        return unread(why, why);
      }
      const read = readLaunches(bytes.toString("utf8"), basename(path), content);
      // The list of what is installed counts as one of its scripts: both are read again when it changes.
      const scripts = [...installed];
      const present =
        content.kind === "market" ? read.launches.filter(isOfPlugIn(installed, read.settings)) : read.launches;
      const launches = present.map((launch): Launch => {
        const whole = launch.kind === "code" && launch.at.length === 0 ? { ...launch, around: sha256(bytes) } : launch;
        const named = scriptsOf(whole, { ...file, plugIn, home: this.#machine.home });
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
}

function doubtOf({ kind }: LaunchInFile, doubt: Place["doubt"]): { doubt?: string } {
  const why = kind === "command" ? undefined : doubt?.[kind];
  return why === undefined ? {} : { doubt: why };
}

function isRead(folders: Place["folders"], { isSession, isTop, above }: ProjectRoot): boolean {
  if (above !== undefined) return folders === "all" || (folders === "loose" && above === "session");
  if (folders === "session") return isSession;
  if (folders === "top") return isTop;
  return isSession || isTop || folders !== undefined;
}

function rootsOf(project: string, home: string): ProjectRoot[] {
  const tree = findWorkTree(project, home);
  const top = tree?.root ?? project;
  const within = foldersFrom(project, top).map((root) => ({
    root,
    key: tree === undefined ? project : `${tree.shared}\n${relative(tree.root, root)}`,
    isSession: root === project,
    isTop: root === top,
  }));
  const beyond = foldersFrom(dirname(top)).filter((root) => root !== top);
  return [
    ...within,
    ...beyond.map((root) => ({
      root,
      key: root,
      isSession: false,
      isTop: false,
      above: tree === undefined ? ("session" as const) : ("tree" as const),
    })),
  ];
}

/** This one and those above it, to `top`. */
function foldersFrom(folder: string, top?: string): string[] {
  const folders = [folder];
  for (let above = folder; above !== top;) {
    const next = dirname(above);
    if (next === above) break;
    folders.push(next);
    above = next;
  }
  return folders;
}

/** A market has many plug-ins that no one has installed: these start nothing. */
function isOfPlugIn(
  lists: readonly string[],
  { plugins }: Readonly<Record<string, unknown>>,
): (launch: LaunchInFile) => boolean {
  const names = lists.flatMap((list) => {
    const settings = objectOf(valueIn(list));
    return [...Object.keys(objectOf(settings.plugins)), ...enabledIn(settings)];
  });
  return ({ at: [, index] }) => {
    const name = textOf(objectOf(listOf(plugins)[Number(index)]).name) ?? "";
    return names.some((each) => each.startsWith(`${name}@`));
  };
}

function enabledIn({ enabledPlugins }: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(objectOf(enabledPlugins)).flatMap(([name, isOn]) => (isOn === true ? [name] : []));
}

function placesFrom(agent: string, from: Place["from"]): readonly Place[] {
  return (placesOf[agent] ?? []).filter((place) => place.from === from);
}

/** The plug-in's manifest names files in place of the usual one. */
function isReplaced({ plugIn, unlessNamed }: FilePlace, looked: readonly Looked[]): boolean {
  if (plugIn === undefined || unlessNamed === undefined) return false;
  return looked.some(
    ({ file, found }) =>
      file.plugIn === plugIn && file.names !== undefined && found.settings[unlessNamed] !== undefined,
  );
}

/** No manifest names more. */
const maxNamed = 50;

function areStill(stamps: ReadonlyMap<string, string>): boolean {
  return [...stamps].every(([path, stamp]) => signatureOf(path) === stamp);
}

/** Undefined if something has changed just now. */
function stampAll(paths: readonly string[], nowMs: number): ReadonlyMap<string, string> | undefined {
  const stamps = new Map<string, string>();
  for (const path of paths) {
    const stamp = stampOf(path);
    if (stamp !== undefined && stamp.ctimeMs > nowMs - unsureMs) return undefined;
    stamps.set(path, stamp?.text ?? "-");
  }
  return stamps;
}

function signatureOf(path: string): string {
  return stampOf(path)?.text ?? "-";
}

/** Another one than any stamp, so that the file is read once more. */
function signatureUnlessNew(path: string, nowMs: number): string {
  const stamp = stampOf(path);
  return stamp !== undefined && stamp.ctimeMs > nowMs - unsureMs ? "new" : (stamp?.text ?? "-");
}

function patternOf({ path, elsewhere }: Place, platform: NodeJS.Platform): string {
  return elsewhere?.[platform] ?? path;
}

/** Empty where it cannot be read. */
export function startOf(path: string): string {
  try {
    return readStartIfThere(path, maxSettingsBytes)?.toString("utf8") ?? "";
  } catch {
    return "";
  }
}

/** Some agents write comments into their JSON. */
function valueIn(path: string): unknown {
  const tree = treeOf(startOf(path));
  return tree && getNodeValue(tree);
}

const maxPlugIns = 2000;

/** The texts of this member, wherever they stand. */
function foldersListed(path: string, member: string): string[] {
  const found = new Set<string>();
  const walk = (value: unknown, depth: number): void => {
    if (depth > 6 || found.size >= maxPlugIns) return;
    const named = textOf(objectOf(value)[member]);
    if (named !== undefined && isAbsolute(named)) found.add(named);
    for (const inner of Array.isArray(value) ? value : Object.values(objectOf(value))) walk(inner, depth + 1);
  };
  walk(valueIn(path), 0);
  return [...found];
}
