// One look at this machine for a command: all launches, with what is known of each.
import { resolve } from "node:path";
import { recordStore } from "../../../install/record/record.ts";
import { layoutOf } from "../../../outbox/layout.ts";
import { listSessions } from "../../../outbox/sessions.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { type Baseline, type Entry, readBaseline } from "../baseline.ts";
import { LaunchFinder, type LookedAt } from "../launches/find.ts";
import type { Launch } from "../launches/launch.ts";
import { OpenFolders, recentProjects } from "../launches/projects.ts";
import { type LaunchOwner, whoseIs } from "../launches/whose.ts";
import { type WillRun, willRun } from "../launches/will-run.ts";

export interface KnownLaunch {
  launch: Launch;
  owner: LaunchOwner;
  willRun: WillRun;
  /** Undefined where it was never seen before, or hookbell does not watch yet. */
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
}

/** Without `project`: of the current folder, and of those with recent sessions. */
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
  const projects = project === undefined ? [...here, ...recent(), ...more] : [resolve(cwd, project)];
  const files = byProject(new LaunchFinder(machine).look([...new Set(projects)], now, agents));
  const own = { stateDir, home, record: recordStore(stateDir).read() };
  const baseline = readBaseline(layout);
  const launches = files.flatMap((file) =>
    file.launches.map((launch): KnownLaunch => {
      const owner = whoseIs(launch, own);
      return { launch, owner, willRun: willRun(launch, files), entry: baseline?.entries[launch.id] };
    }),
  );
  return { files, launches, baseline };
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
