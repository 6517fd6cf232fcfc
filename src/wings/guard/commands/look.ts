// One look at this machine for a command: all launches, with what is known of each.
import { resolve } from "node:path";
import { recordStore } from "../../../install/record/record.ts";
import { layoutOf } from "../../../outbox/layout.ts";
import { listSessions } from "../../../outbox/sessions.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { type Baseline, compareWith, type Entry, readBaseline } from "../baseline.ts";
import { LaunchFinder, type LookedAt, wasLookedAt } from "../launches/find.ts";
import type { Launch } from "../launches/launch.ts";
import { OpenFolders, recentProjects } from "../launches/projects.ts";
import { type LaunchOwner, whoseIs } from "../launches/whose.ts";
import { type WillRun, willRun } from "../launches/will-run.ts";

export interface KnownLaunch {
  launch: Launch;
  owner: LaunchOwner;
  willRun: WillRun;
  /** Undefined of hookbell's own, and where hookbell does not watch yet. */
  entry: Entry | undefined;
}

/** It was there once. */
export interface GoneLaunch {
  id: string;
  entry: Entry;
}

export interface AllLaunches {
  files: LookedAt[];
  launches: KnownLaunch[];
  /** Undefined before the first `hookbell init`. */
  baseline: Baseline | undefined;
  /** What the look adds to what is known, if anything: the dispatcher may not have looked yet. */
  change?: (current: Baseline) => Baseline;
}

/** Without `project`: of the current folder, of those with recent sessions, and of those in which a program is not accepted. */
export function lookAtAll(
  io: Pick<CommandIo, "env" | "places" | "platform" | "clock" | "cwd">,
  {
    project,
    agents,
    more = [],
  }: { project?: string | undefined; agents?: readonly string[]; more?: readonly string[] } = {},
): AllLaunches {
  const { env, places, platform, clock, cwd } = io;
  const { home, stateDir } = places;
  const layout = layoutOf(stateDir);
  const now = clock.now();
  const here = cwd === home ? [] : [cwd];
  const machine = { env, home, platform };
  const recent = (): string[] => [...recentProjects(listSessions(layout), now), ...new OpenFolders(machine).look()];
  const known = readBaseline(layout);
  const projects =
    project === undefined ? [...here, ...recent(), ...openProjects(known), ...more] : [resolve(cwd, project)];
  const files = byProject(new LaunchFinder(machine).look([...new Set(projects)], now));
  const own = { stateDir, home, record: recordStore(stateDir).read() };
  const found = files.flatMap((file) => file.launches.map((launch) => ({ launch, owner: whoseIs(launch, own) })));
  const others = found.flatMap(({ launch, owner }) => (owner === "hookbell" ? [] : [launch]));
  const seen = { launches: others, isWithout: wasLookedAt(files) };
  const { change } = known === undefined ? {} : compareWith(known, seen, now);
  const baseline = known && (change?.(known) ?? known);
  const isAsked = ({ agent }: { agent: string }): boolean => agents?.includes(agent) ?? true;
  const launches = found
    .filter(({ launch }) => isAsked(launch))
    .map(({ launch, owner }): KnownLaunch => {
      return { launch, owner, willRun: willRun(launch, files), entry: baseline?.entries[launch.id] };
    });
  return { files: files.filter(isAsked), launches, baseline, ...(change === undefined ? {} : { change }) };
}

const maxOpenProjects = 50;

/** Where you were notified of a program that is still to be accepted: the notification names this list. */
function openProjects(baseline: Baseline | undefined): string[] {
  const open = Object.values(baseline?.entries ?? {}).flatMap(({ project, told, accepted, removed, gone }) =>
    project !== undefined && told !== undefined && [accepted, removed, gone].every((each) => each === undefined)
      ? [project]
      : [],
  );
  return [...new Set(open)].slice(0, maxOpenProjects);
}

/** The files of one project follow each other, after those of no project. */
function byProject(files: readonly LookedAt[]): LookedAt[] {
  const projects = [...new Set([undefined, ...files.map(({ project }) => project)])];
  return projects.flatMap((project) => files.filter((file) => file.project === project));
}

/** Whether a person has still to say that they know it. */
export function isNew({ owner, entry }: Pick<KnownLaunch, "owner" | "entry">): boolean {
  return owner !== "hookbell" && entry?.accepted === undefined;
}
