// What the tab "Now" shows, kept true while a browser looks at it.
import { notificationsForPage } from "./why/instants.ts";
import { textBesideOptions, visibleLine } from "../../answers/card/card.ts";
import { groupTitles, type BoardQuestion, type BoardRow } from "../../overview/board.ts";
import { createDayReader, type Day } from "../../overview/day.ts";
import { createBoardReader } from "../../overview/read-board.ts";
import { devicesFolder, type Device } from "../../answers/browsers/devices.ts";
import { endsAt, questionsFolder, type Question } from "../../answers/questions.ts";
import { sessionKey } from "../../channels/session-message.ts";
import { publicName } from "../../sessions/public-words.ts";
import { journalBytes, listJournal } from "../../outbox/journal.ts";
import type { Layout } from "../../outbox/layout.ts";
import type { Clock } from "../../system/clock.ts";
import { ensurePrivateDir } from "../../system/files/files.ts";
import { watchFolder } from "../../system/files/watch.ts";
import { hostName } from "../../system/process/identity.ts";
import { hasOptionsOnPage, type Answering } from "./answer.ts";
import { brokenChannels } from "./deliveries.ts";
import { createRulesReader } from "./rules.ts";
import type { PageTab } from "../../http-server/served.ts";
import type { BrokenChannel, BrokenRules, Now, QuestionOnPage, SessionGroup, SessionOnPage } from "./contract.ts";

/** A look takes up to 0.1 ms for each session, so looks are at least this far apart. */
const lookAgainMs = 250;
/** Channels come to themselves with time. */
const lookAtChannelsEveryMs = 15_000;
/** All files of the page are read for it. */
const lookAtBuildEveryMs = 15_000;
/** Some changes touch no file: a session becomes unknown with time, and processes end. */
const lookAtLeastEveryMs = 3000;

export interface NowWatch {
  /** What this device sees. */
  current(device: Device): Promise<Now>;
  /** Calls when something may have changed, until the returned function is called. */
  watch(onChange: () => void): () => void;
}

interface NowParts {
  layout: Layout;
  rulesFile: string;
  clock: Clock;
  answering: Answering;
  /** Those that wings bring, which may add to this one. */
  tabs: readonly PageTab[];
  build: () => string;
}

export function createNowWatch({ layout, rulesFile, clock, answering, tabs, build }: NowParts): NowWatch {
  const read = createBoardReader(layout);
  const readDay = createDayReader(layout);
  const readRules = createRulesReader(rulesFile, layout);
  const watchers = new Set<() => void>();
  let rows: BoardRow[] = [];
  let day: Day = { start: NaN, projects: [] };
  let brokenRules: BrokenRules | undefined;
  let channels: { readonly broken: readonly BrokenChannel[]; readonly readAt: string } = { broken: [], readAt: "-" };
  let journal = "";
  let built = { id: "", at: -Infinity };
  let added: object = {};
  let isStale = true;
  let looking: Promise<void> | undefined;
  let unwatch = (): void => {};
  const look = async (): Promise<void> => {
    isStale = false;
    const at = clock.now();
    const rules = await readRules();
    brokenRules = rules.broken;
    rows = read(at, rules);
    added = Object.assign({}, ...tabs.map(({ now }) => now?.current()));
    journal = endOfJournal(layout);
    // A failed message leaves a line in the journal; reading its end each time would take too long.
    const readAt = `${journal} ${Math.floor(at / lookAtChannelsEveryMs)}`;
    if (readAt !== channels.readAt) channels = { broken: brokenChannels(layout, rules.current, at), readAt };
    if (at - built.at >= lookAtBuildEveryMs) built = { id: build(), at };
    day = await readDay(at);
  };
  /** Many browsers that ask at once are answered by one look. What changes meanwhile is told, and asked for again. */
  const lookOnce = async (): Promise<void> => {
    if (isStale) looking ??= look().finally(() => (looking = undefined));
    await looking;
  };
  return {
    async current(device) {
      await lookOnce();
      const groups = groupsOf(rows, (question) => answering.buttonsFor(device, question));
      const { name, rights, pairAgain } = device;
      return {
        at: clock.now(),
        build: built.id,
        device: { name, rights, pairAgain },
        host: hostName(),
        groups,
        brokenRules,
        brokenChannels: channels.broken,
        journal,
        day,
        tabs: tabs.map(({ name }) => name),
        ...added,
      };
    },
    watch(onChange) {
      watchers.add(onChange);
      const onStale = (): void => {
        isStale = true;
        for (const tell of watchers) tell();
      };
      if (watchers.size === 1) {
        isStale = true;
        unwatch = watchState(layout, clock, tabs, onStale);
      }
      return () => {
        watchers.delete(onChange);
        if (watchers.size === 0) unwatch();
      };
    },
  };
}

function endOfJournal(layout: Layout): string {
  const file = listJournal(layout).at(-1);
  return file === undefined ? "" : `${file} ${journalBytes(layout, file)}`;
}

/** Announces changes at most every quarter of a second, and at least every few seconds. */
function watchState(layout: Layout, clock: Clock, tabs: NowParts["tabs"], tell: () => void): () => void {
  const folders = [layout.sessions, layout.journal, questionsFolder(layout), devicesFolder(layout)];
  let cancel = (): void => {};
  let toldAt = -Infinity;
  let isWaiting = false;
  const tellAndWait = (): void => {
    isWaiting = false;
    toldAt = clock.now();
    cancel();
    cancel = clock.after(lookAtLeastEveryMs, tellAndWait);
    tell();
  };
  const onChange = (): void => {
    if (isWaiting) return;
    isWaiting = true;
    cancel();
    cancel = clock.after(Math.max(0, toldAt + lookAgainMs - clock.now()), tellAndWait);
  };
  const unwatch = folders.map((folder) => {
    ensurePrivateDir(folder);
    return watchFolder(folder, onChange);
  });
  unwatch.push(...tabs.flatMap(({ now }) => now?.watch(onChange) ?? []));
  cancel = clock.after(lookAtLeastEveryMs, tellAndWait);
  return () => {
    cancel();
    for (const end of unwatch) end();
  };
}

type ButtonsFor = (question: NonNullable<BoardQuestion["open"]>["question"]) => ReturnType<Answering["buttonsFor"]>;

function groupsOf(rows: readonly BoardRow[], buttonsFor: ButtonsFor): SessionGroup[] {
  const hasHosts = rows.some(({ record }) => record.host !== undefined);
  return Object.entries(groupTitles).flatMap(([group, title]) => {
    const sessions = rows.filter((row) => row.group === group).map((row) => sessionOf(row, hasHosts, buttonsFor));
    return sessions.length === 0 ? [] : [{ group, title, sessions }];
  });
}

function sessionOf({ record, agentName, ...row }: BoardRow, hasHosts: boolean, buttonsFor: ButtonsFor): SessionOnPage {
  const { agent, session, state, branch, folder, host } = record;
  /** What the session's line says is not said again. A value that differs in a single sign is. */
  const isSaid = ({ label, value }: { label: string; value: string }): boolean =>
    label === "tool" ||
    label === "server" ||
    (label === "branch" && value === branch) ||
    (label === "host" && (value === host || (!hasHosts && value === hostName())));
  return {
    id: sessionKey({ agent, session, id: "" }),
    agent: agentName,
    place: row.place,
    branch,
    folder,
    state: publicName(state.kind),
    since: state.since,
    reason: state.reason,
    words: row.words,
    toolSince: row.toolSince,
    subagents: row.subagents,
    until: state.kind === "waitsForLimit" ? state.until : undefined,
    questions: row.questions.map((question) => onPage(question, isSaid, buttonsFor)),
    notified: notificationsForPage(row.telling),
  };
}

function onPage(
  { event, at, words, telling, ended, whyClosed, open }: BoardQuestion,
  isSaid: (field: { label: string; value: string }) => boolean,
  buttonsFor: ButtonsFor,
): QuestionOnPage {
  const asked = { event, at, words, notified: notificationsForPage(telling), ended, whyClosed };
  if (open === undefined) return asked;
  const { question, card, note } = open;
  const buttons = buttonsFor(question);
  const hasOptions = buttons.length > 0 && hasOptionsOnPage(question);
  const shown = {
    id: question.id,
    title: titleOf(question),
    body: hasOptions ? textBesideOptions(question) : question.text,
    fields: card.fields.filter((field) => !isSaid(field)),
    // How to write a reply is of no use beside the buttons.
    note: hasOptions ? undefined : note,
    expiresAt: endsAt(question),
  };
  return { ...asked, open: { ...shown, buttons } };
}

/** The agent and the project stand above it. */
function titleOf({ kind, tool }: Question): string {
  if (kind === "permission") return `Permission: ${visibleLine(tool)}`;
  if (kind === "form") return `Form: ${visibleLine(tool)}`;
  return kind === "question" ? "Question" : "Done: what next?";
}
