// One look after another at what agents start: what is new is told, once.
import { basename, dirname, join } from "node:path";
import { agentName } from "../../agents/index.ts";
import { type ChangedFile, describeChanged, findChangedScripts } from "../../own-files/changed-files.ts";
import { recordPath } from "../../own-files/install-record.ts";
import { scriptNames } from "../../own-files/released-scripts.ts";
import { recordStore } from "../../install/record/record.ts";
import { listSessions, type SessionRecord } from "../../outbox/sessions.ts";
import { queueOnce } from "../../outbox/incoming.ts";
import type { AgentEvent } from "../../model/event.ts";
import type { Outdated } from "../../policies/answered.ts";
import type { Dispatcher } from "../../pipeline/dispatcher.ts";
import { summaryLength } from "../../model/privacy/content.ts";
import { shortenMiddle } from "../../model/text.ts";
import { byHand, hookChanged, ownHooksGone, rulesChanged } from "../../model/own-events.ts";
import { sha256 } from "../../system/crypto.ts";
import type { Environment } from "../../system/environment.ts";
import { stampOf, tryToStat } from "../../system/files/files.ts";
import type { FolderNames } from "../../system/files/watch.ts";
import { findAuthor } from "./author.ts";
import { baselinePath, watchedPath } from "./baseline-file.ts";
import {
  type Baseline,
  compareWith,
  emptyBaseline,
  type NewLaunch,
  readBaseline,
  updateBaseline,
  writeBaseline,
} from "./baseline.ts";
import { LaunchFinder, type LookedAt, wasLookedAt } from "./launches/find.ts";
import { alsoRunBy, type DescribedLaunch, shortName, shortPath, tellChanges, type ToldChange } from "./hook-changed.ts";
import { OpenFolders, recentProjects } from "./launches/projects.ts";
import { type LostHooks, type OwnFiles, OwnHooks } from "./own/hooks.ts";
import { type RulesAsWritten, readOwnRules } from "./own/settings.ts";
import { type Own, whoseIs } from "./launches/whose.ts";
import { willRun } from "./launches/will-run.ts";

const noFiles: OwnFiles = {};

/** A file that is not whole, and that changed just now, is being written. */
const writingMs = 1000;

export interface Looked {
  /** Whether there is something to send. */
  hasNews: boolean;
  outdated: Outdated[];
  /** Whether an agent is open in which no session may have begun. */
  isAgentOpen: boolean;
}

export class HookWatch {
  readonly #dispatcher: Dispatcher;
  readonly #finder: LaunchFinder;
  readonly #open: OpenFolders;
  readonly #ownHooks = new OwnHooks();
  #baseline: { stamp: string | undefined; value: Baseline } | undefined;
  /** What the last look saw: the same file is the same object. */
  #seen: readonly unknown[] | undefined;
  /** Whether a file was being written, or may be. */
  #isUnsure = true;
  /** The events whose notifications are on show, and those that were taken down. */
  #shown: ReadonlySet<string> = new Set();
  readonly #withdrawn = new Set<string>();
  /** When each changed script was changed, in milliseconds since the epoch. */
  #scripts: ReadonlyMap<string, number> = new Map();
  #rules: { signature: string; rules: RulesAsWritten | undefined } | undefined;

  constructor(dispatcher: Dispatcher, systemRoot?: string) {
    const { env, platform, home } = dispatcher.tools;
    this.#dispatcher = dispatcher;
    this.#finder = new LaunchFinder({ env, home, platform, ...(systemRoot === undefined ? {} : { systemRoot }) });
    this.#open = new OpenFolders({ env, home, platform });
  }

  look(now: number): Looked {
    const { layout } = this.#dispatcher;
    const baseline = this.#currentBaseline();
    if (baseline === undefined) return { hasNews: false, outdated: [], isAgentOpen: false };
    const sessions = listSessions(layout, now);
    const files = this.#finder.look([...new Set([...recentProjects(sessions, now), ...this.#open.look()])], now);
    const isAgentOpen = this.#open.isAny();
    const changed = findChangedScripts(layout);
    const seen = this.#allSeen(files, changed);
    this.#isUnsure = files.some(({ isTorn, path }) => isTorn && isBeingWritten(path, now));
    if (isSameList(seen, this.#seen)) return { hasNews: false, outdated: [], isAgentOpen };
    const hasNews = this.#compare(baseline, { files, sessions, changed }, now);
    const present = new Set(files.flatMap(({ launches }) => launches.map(({ id }) => id)));
    const outdated = this.#settled(baseline, present, now);
    // Only now: what was not told of is looked at again.
    this.#seen = this.#isUnsure ? undefined : seen;
    this.#scripts = new Map(changed.map(({ path, changedAtMs }) => [path, changedAtMs]));
    return { hasNews, outdated, isAgentOpen };
  }

  /** Where a change would be that the next look finds. Undefined if it may find something without one. */
  changes(): FolderNames | undefined {
    const { layout, rulesFile } = this.#dispatcher;
    const changes = this.#isUnsure ? undefined : this.#finder.changes();
    if (changes === undefined) return undefined;
    const scripts = scriptNames.map((name) => join(layout.root, name));
    for (const path of [baselinePath(layout), watchedPath(layout), recordPath(layout.root), rulesFile, ...scripts])
      changes.add(dirname(path), basename(path));
    // They tell of folders to look in.
    changes.add(layout.sessions);
    changes.add(this.#open.folder);
    return changes;
  }

  /** What was told, and is accepted, looked at or gone since: it need not be on show any more. */
  #settled({ entries }: Baseline, present: ReadonlySet<string>, now: number): Outdated[] {
    const told = Object.entries(entries).flatMap(([id, { told: by, accepted, seen }]) =>
      by === undefined
        ? []
        : [{ key: by.event, isOpen: accepted === undefined && seen === undefined && present.has(id) }],
    );
    const open = new Set(told.flatMap(({ key, isOpen }) => (isOpen ? [key] : [])));
    // What you have removed is known no more as what was told.
    const known = new Set([...this.#shown, ...told.map(({ key }) => key)]);
    const over = [...known].filter((key) => !open.has(key) && !this.#withdrawn.has(key));
    this.#shown = open;
    return over.map((key) => {
      this.#withdrawn.add(key);
      const event = { ...ownEvent(this.#dispatcher, now), session: key };
      return { event, retraction: { why: "you have looked at it", isAnswer: false }, isMeant: () => true };
    });
  }

  #compare(
    baseline: Baseline,
    {
      files,
      sessions,
      changed,
    }: { files: readonly LookedAt[]; sessions: readonly SessionRecord[]; changed: readonly ChangedFile[] },
    now: number,
  ): boolean {
    const { layout, tools } = this.#dispatcher;
    const own: Own = { stateDir: layout.root, home: tools.home, record: recordStore(layout.root).read() };
    const { own: ownBefore = noFiles } = baseline;
    const { known: ownFiles, lost, isUnsure } = this.#ownHooks.look(ownBefore, { files, own }, now);
    this.#isUnsure ||= isUnsure;
    const launches = files
      .filter(({ isTorn, path }) => !isTorn || !isBeingWritten(path, now))
      .flatMap((file) => file.launches)
      .filter((launch) => whoseIs(launch, own) !== "hookbell");
    const { news, change } = compareWith(baseline, { launches, isWithout: wasLookedAt(files) }, now);
    const rules = this.#newRules(baseline);
    const scripts = changed.filter(({ path, changedAtMs }) => this.#scripts.get(path) !== changedAtMs);
    const isSame = change === undefined && news.length === 0 && rules === undefined && !baseline.isForged;
    const isOwnSame = lost.length === 0 && ownFiles === ownBefore;
    if (isSame && isOwnSame && scripts.length === 0) return false;
    // Where the whole list is gone, every entry is new: one bell is enough.
    const isGone = baseline.isForged && Object.keys(baseline.entries).length === 0;
    const told = [
      ...(isGone
        ? []
        : tellChanges(
            news.map((each) => describe(each, { files, sessions, own, env: tools.env })),
            tools.home,
          )),
      ...(rules === undefined || rules.isOwn || baseline.rules === undefined
        ? []
        : [tellRules(this.#dispatcher.rulesFile, now)]),
      ...(baseline.isForged
        ? [tellForged(now, baselinePath(layout), isGone ? news.map(({ launch }) => launch.id) : [])]
        : []),
      ...scripts.map((file) => tellScript(file, now)),
      ...lost.map((each) => tellLost(each, tools.home)),
    ];
    // After a crash, what is written and was not told is told, under the same key.
    updateBaseline(layout, (current) => ({
      ...(change?.(current) ?? current),
      ...(rules === undefined ? {} : { rules: rules.digest }),
      own: ownFiles,
      isForged: false,
    }));
    for (const each of told) this.#tell(each, now);
    const left = Object.fromEntries(lost.map(({ path, after }) => [path, after]));
    updateBaseline(layout, (current) => ({
      ...withTold(current, told, now),
      own: { ...current.own, ...left },
    }));
    return told.length > 0;
  }

  /** One that has gone is written again, as far as this process knows it, and counts as another program's. Nothing is accepted then. */
  #currentBaseline(): Baseline | undefined {
    const { layout } = this.#dispatcher;
    const stamp = stampOf(baselinePath(layout))?.text;
    if (stamp !== undefined && stamp === this.#baseline?.stamp) return this.#baseline.value;
    const value = readBaseline(layout);
    if (value !== undefined) {
      this.#baseline = { stamp, value };
      return value;
    }
    if (tryToStat(watchedPath(layout)) === undefined && this.#baseline === undefined) return undefined;
    if (tryToStat(layout.root) === undefined) return undefined;
    const lost = this.#baseline?.value ?? emptyBaseline(this.#dispatcher.tools.clock.now());
    writeBaseline(layout, lost);
    return { ...lost, isForged: true };
  }

  /** All that a look goes by: the same file is the same object. */
  #allSeen(files: readonly LookedAt[], scripts: readonly ChangedFile[]): unknown[] {
    const { layout, rulesFile } = this.#dispatcher;
    const paths = [baselinePath(layout), recordPath(layout.root), rulesFile, ...scripts.map(({ path }) => path)];
    return [...files, ...paths.map((path) => stampOf(path)?.text)];
  }

  /** Undefined if the file says the same as before. */
  #newRules({ rules: before }: Baseline): RulesAsWritten | undefined {
    const { rulesFile, layout } = this.#dispatcher;
    const signature = stampOf(rulesFile)?.text ?? "";
    if (this.#rules?.signature !== signature) {
      this.#rules = { signature, rules: readOwnRules(rulesFile, layout.root) };
    }
    const { rules } = this.#rules;
    return rules === undefined || rules.digest === before ? undefined : rules;
  }

  #tell({ key, payload }: ToldChange, now: number): void {
    queueOnce(this.#dispatcher.layout, { agentId: byHand.agent, name: hookChanged, key, payload }, now);
  }
}

function ownEvent({ layout, host }: Dispatcher, now: number): Omit<AgentEvent, "session"> {
  const { agent } = byHand;
  const at = new Date(now).toISOString();
  return { id: `evt_${now}`, name: hookChanged, agent, cwd: layout.root, project: agent, host, at, level: "attention" };
}

function isSameList(one: readonly unknown[], other: readonly unknown[] | undefined): boolean {
  return one.length === other?.length && one.every((each, index) => each === other[index]);
}

function isBeingWritten(path: string, now: number): boolean {
  // It may have been written since the look began.
  return Math.abs(now - (tryToStat(path)?.mtimeMs ?? 0)) < writingMs;
}

function describe(
  news: NewLaunch,
  {
    files,
    sessions,
    own,
    env,
  }: { files: readonly LookedAt[]; sessions: readonly SessionRecord[]; own: Own; env: Environment },
): DescribedLaunch {
  const { runs, why } = willRun(news.launch, files);
  return {
    ...news,
    owner: whoseIs(news.launch, own),
    author: findAuthor(news.launch.path, sessions, own.home),
    others: alsoRunBy(news.launch.agent, { env, home: own.home }),
    ...(runs === "yes" ? {} : { why }),
  };
}

interface PlainChange {
  kind: string;
  title: string;
  ids: string[];
  path: string;
  body: string;
  /** For a channel that may quote nothing. */
  none: string;
}

function tellPlainly({ kind, title, ids, path, body, none }: PlainChange): ToldChange {
  const ownWords = { summary: shortenMiddle(body, summaryLength), none };
  const key = `${kind}-${sha256(ids.toSorted().join(" ")).slice(0, 16)}`;
  const payload = {
    hook_event_name: hookChanged,
    session_id: key,
    cwd: dirname(path),
    project: byHand.agent,
    title,
    message: body,
    reason: kind,
    own_words: ownWords,
  };
  return { key, ids, payload };
}

function tellRules(rulesFile: string, now: number): ToldChange {
  const title = "its rules were changed, and not by hookbell";
  const change = tellPlainly({
    kind: rulesChanged,
    title,
    // The same change is told again when it is made again.
    ids: [String(now)],
    path: rulesFile,
    body: `If it was not you, read them: ${rulesFile}`,
    none: "If it was not you, read them: hookbell check names the file.",
  });
  return { ...change, ids: [] };
}

function tellForged(now: number, path: string, ids: string[]): ToldChange {
  const title = "another program wrote its list of known hooks";
  const body = "Look at what is accepted: hookbell hooks";
  const change = tellPlainly({ kind: "baseline", title, ids: [String(now)], path, body, none: body });
  return { ...change, ids };
}

function tellScript(file: ChangedFile, now: number): ToldChange {
  const none = "hookbell answers no question through it. To write it anew: hookbell init";
  const change = tellPlainly({
    kind: "script",
    title: describeChanged(file, now),
    ids: [file.path, String(file.changedAtMs)],
    path: file.path,
    body: `${file.path}. ${none}`,
    none,
  });
  return { ...change, ids: [] };
}

/** One event names at most so many of the hooks that are gone. */
const maxLost = 3;

function tellLost({ path, before, names, isFileGone }: LostHooks, home: string): ToldChange {
  const agent = agentName(before.agent);
  const more = names.length > maxLost ? ` and ${names.length - maxLost} more` : "";
  const what = `${names.slice(0, maxLost).map(shortName).join(", ")}${more}`;
  const how = isFileGone
    ? `is gone, with hookbell's hooks for ${agent}`
    : `no longer has hookbell's hooks for ${what} of ${agent}`;
  const change = tellPlainly({
    kind: ownHooksGone,
    title: "its hooks were removed, and not by hookbell",
    // What is put back and removed again is told again.
    ids: [path, String(before.at), ...names],
    path,
    body: `${shortPath(path, home)} ${how}. ${afterLoss}`,
    none: `Hooks of hookbell's for ${agent} are gone. ${afterLoss}`,
  });
  return { ...change, ids: [] };
}

const afterLoss =
  'If it was not you: hookbell init puts them back, and hookbell docs "it was not you" says what to do first.';

function withTold(baseline: Baseline, told: readonly ToldChange[], now: number): Baseline {
  const entries = { ...baseline.entries };
  for (const { ids, key } of told) {
    for (const id of ids) {
      const entry = entries[id];
      if (entry !== undefined) entries[id] = { ...entry, told: { at: now, event: key } };
    }
  }
  return { ...baseline, entries };
}
