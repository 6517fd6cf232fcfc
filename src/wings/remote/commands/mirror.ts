// The agents' settings of another machine, copied into the state folder, so that the installer edits them as if they were here.
import { dirname, join } from "node:path";
import type { FolderPlace } from "../../../agents/dialect/agent.ts";
import { placeFolder } from "../../../agents/hook-setup.ts";
import type { InstallContext } from "../../../install/install-agent.ts";
import { recordStore } from "../../../install/record/record.ts";
import type { FileChange } from "../../../install/settings/file-change.ts";
import { type AgentTarget, listTargets, agentsToSetUp } from "../../../install/target/agent-target.ts";
import { UserError } from "../../../model/errors.ts";
import type { Layout } from "../../../outbox/layout.ts";
import type { Changed, Host } from "../host.ts";
import { hookThere } from "../hook-there.ts";
import { remoteFolder } from "../remotes.ts";
import { ensurePrivateDir, listNames, removeTree, statIfThere } from "../../../system/files/files.ts";
import { writeWholeSoon } from "../../../system/files/write.ts";
import type { CommandIo } from "../../../console/command-io.ts";

export interface Mirror {
  targets: AgentTarget[];
  context: Pick<InstallContext, "installation" | "platform" | "nowMs" | "store">;
  /** Text about files of the copy, as text about the files there. */
  thereIn(text: string): string;
  /** Writes a change of the copy there, unless the file there has changed since. */
  push(change: FileChange): Promise<Changed>;
  /** Removes a folder there if it is empty; `folder` is the copy's. */
  removeFolder(folder: string): Promise<void>;
}

/** Reads what the installer may look at. The copy stays, for the record of what was there before hookbell. */
export async function readMirror(
  host: Host,
  name: string,
  { layout, nowMs }: { layout: Layout; nowMs: number },
): Promise<Mirror> {
  const folder = remoteFolder(layout, name);
  const root = join(folder, "files");
  const platform = host.system === "Darwin" ? "darwin" : "linux";
  const home = join(root, host.home);
  const pathThere = (path: string): string => path.slice(root.length).replaceAll("\\", "/");
  const env = await variablesThere(host, root);
  const failed: { path: string; why: string }[] = [];

  const copied = new Map<string, Promise<void>>();
  /** The folders above a file are copied first, so that the installer knows which ones it has to make. */
  const copy = (path: string): Promise<void> => {
    const known = copied.get(path);
    if (known !== undefined) return known;
    const above = dirname(path).length > root.length ? copy(dirname(path)) : Promise.resolve();
    const looked = host.look(pathThere(path));
    const copying = above.then(async () => {
      const found = await looked;
      const isFolderHere = statIfThere(path)?.isFolder;
      if (isFolderHere !== undefined && isFolderHere !== (found.what === "folder")) removeTree(path);
      if (found.what === "failed") failed.push({ path, why: found.why });
      else if (found.what === "folder") ensurePrivateDir(path);
      else if (found.what === "file") {
        ensurePrivateDir(dirname(path));
        writeWholeSoon(path, found.bytes, found.isWritable ? 0o600 : 0o400);
      }
    });
    copied.set(path, copying);
    return copying;
  };
  const copyFolder = async (path: string): Promise<void> => {
    await copy(path);
    const names = await host.list(pathThere(path));
    for (const here of listNames(path)) {
      if (here.endsWith(".json") && !names.includes(here)) removeTree(join(path, here));
    }
    await Promise.all(names.filter((each) => each.endsWith(".json")).map((each) => copy(join(path, each))));
  };
  const copyPattern = async (path: string): Promise<void> =>
    await (path.includes("*") ? copyFolder(dirname(path)) : copy(path));

  const placeOf = (place: FolderPlace): string => placeFolder(place, env, home);
  await Promise.all(
    agentsToSetUp.flatMap(({ hookSetup }) => {
      const folders = hookSetup.folders.map(placeOf);
      const signs = hookSetup.folders.flatMap(({ sign }) => (sign === undefined ? [] : [placeOf(sign)]));
      const files = hookSetup.files.flatMap(({ name, place }) =>
        (place === undefined ? folders : [placeOf(place)]).map((each) => join(each, name)),
      );
      const others = [...(hookSetup.switches ?? []), ...(hookSetup.ownNotifications ?? [])].map(({ file }) => file);
      const own = (hookSetup.ownFiles ?? []).map((file) => file.name(platform));
      const named = [...others, ...own].flatMap((file) => folders.map((each) => join(each, file)));
      const managed = (hookSetup.managed?.files[platform] ?? []).map((path) =>
        path.endsWith("/") ? copyFolder(join(root, path)) : copy(join(root, path)),
      );
      return [...[...folders, ...signs, ...named].map(copy), ...files.map(copyPattern), ...managed];
    }),
  );

  const here = listTargets(env, home, platform);
  const targets = await Promise.all(
    here.map(async (target): Promise<AgentTarget> => {
      const programs = await Promise.all(target.hookSetup.programs.map((program) => host.findProgram(program)));
      const program = programs.find((path) => path !== undefined);
      const managedPlaces = target.managedPlaces.map((path) => root + path);
      return { ...target, managedPlaces, program, sign: target.sign ?? program };
    }),
  );
  const thereIn = (text: string): string => text.replaceAll(root, () => `${name}:`);
  const read = targets.filter(({ folder }) => failed.every(({ path }) => !path.startsWith(folder)));
  const unread = failed.find(({ path }) =>
    targets.some((target) => !read.includes(target) && path.startsWith(target.folder)),
  );
  if (unread !== undefined) {
    throw new UserError("remote.unreadable", `${thereIn(unread.path)} ${unread.why}`, {
      hint: "give yourself the permission there, then run this again",
    });
  }
  return {
    targets,
    context: {
      installation: { nodePath: "", hookPath: "", scriptPath: hookThere(host) },
      platform,
      nowMs,
      store: recordStore(folder),
    },
    thereIn,
    async push({ source, after }) {
      const path = pathThere(source.path);
      const isProgram = source.kind === "own" && source.file.isExecutable === true;
      if (after !== undefined) return await host.put(path, source.bytes, new TextEncoder().encode(after), isProgram);
      return source.bytes === undefined ? { what: "done" } : await host.remove(path, source.bytes);
    },
    removeFolder: (path) => host.removeFolder(pathThere(path)),
  };
}

/** The variables that move agents' folders, as folders of the copy. */
async function variablesThere(host: Host, root: string): Promise<Record<string, string>> {
  const names = agentsToSetUp.flatMap(({ hookSetup: { folders, files } }) => {
    const places = [
      ...folders,
      ...folders.flatMap(({ sign }) => sign ?? []),
      ...files.flatMap(({ place }) => place ?? []),
    ];
    return places.flatMap(({ moved }) => moved?.env ?? []);
  });
  const found = await Promise.all([...new Set(names)].map(async (name) => [name, await host.variable(name)] as const));
  return Object.fromEntries(found.flatMap(([name, path]) => (path === undefined ? [] : [[name, join(root, path)]])));
}

/** The same output, with the paths there. */
export function speakingOf<Io extends Pick<CommandIo, "stdout" | "stderr">>(io: Io, { thereIn }: Mirror): Io {
  return {
    ...io,
    stdout: (text: string) => io.stdout(thereIn(text)),
    stderr: (text: string) => io.stderr(thereIn(text)),
  };
}
