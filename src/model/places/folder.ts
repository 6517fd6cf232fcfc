// The ways to write one folder. A rule, a mute and an event may each use another one; which of them are the same is said here only.

/**
 * A drive or a share of Windows, where one folder has many spellings: `C:\Users\Ann\shop`, `c:/users/ann/Shop`. The path says
 * so itself, since an event may come from another machine.
 */
const ofWindows = /^(?:[A-Za-z]:(?:[\\/]|$)|\\\\)/;

export function isWindowsPath(path: string): boolean {
  return ofWindows.test(path);
}

/** The one spelling of a path of Windows, or of a part or pattern of one, by which it is compared. */
export function windowsKey(path: string): string {
  return path.replaceAll("\\", "/").toLowerCase();
}

/** Elsewhere than on Windows and macOS, each spelling is a folder of its own. */
export function isSameFolder(one: string, other: string): boolean {
  return one === other || (isWindowsPath(one) ? bareKey(one) === bareKey(other) : macKey(one) === macKey(other));
}

/** The path below a folder, with `/`; undefined for one that is not in it. */
export function pathBelow(folder: string, path: string): string | undefined {
  const key = isWindowsPath(folder) ? windowsKey : (text: string) => text;
  if (folder === "" || !key(path).startsWith(`${key(folder)}/`)) return undefined;
  const below = path.slice(folder.length + 1);
  return isWindowsPath(folder) ? below.replaceAll("\\", "/") : below;
}

/** The shortest way to write it. */
function macKey(path: string): string {
  return folderNames(path, "").at(-1) ?? path;
}

/** Without slashes at its end, which an expression would take quadratic time to find. */
function bareKey(path: string): string {
  const key = windowsKey(path);
  let { length } = key;
  while (key[length - 1] === "/") length -= 1;
  return key.slice(0, length);
}

/** One of two ways to write an accented letter: macOS keeps file names as they were made, often letter and accent apart. */
export function composed(text: string): string {
  return text.normalize("NFC");
}

/**
 * macOS has these at two places: `/tmp`, `/var` and `/etc` are links into `/private` (hier(7)), and what users can change is
 * under `/System/Volumes/Data` as well (`/usr/share/firmlinks`).
 */
const places = [
  { long: "/System/Volumes/Data", isThere: /^\/[^/]/ },
  { long: "/private", isThere: /^\/(?:tmp|var|etc)(?:\/|$)/ },
];

/** The path of another machine has that machine's name in front. */
const hostBefore = /^[^/\\:]{2,}:(?=\/)/;

/**
 * All ways to write this folder, in composed letters, the given one first. The longer ones are there only for a pattern that
 * begins like them, so that `*private*` does not match `/tmp`.
 */
export function folderNames(path: string, pattern: string): readonly string[] {
  const given = composed(path);
  const host = hostBefore.exec(given)?.[0] ?? "";
  const wanted = pattern.replace(/^\^/, "").slice(host !== "" && pattern.startsWith(host) ? host.length : 0);
  const names = new Set([given.slice(host.length)]);
  for (const { long, isThere } of places) {
    for (const name of names) {
      const short = name.startsWith(`${long}/`) ? name.slice(long.length) : "";
      if (isThere.test(short)) names.add(short);
    }
  }
  for (const { long, isThere } of places.toReversed()) {
    if (!wanted.startsWith(long)) continue;
    for (const name of names) if (isThere.test(name) && !name.startsWith(`${long}/`)) names.add(long + name);
  }
  return [...names].map((name) => host + name);
}

/** The last part of a path of either system, as projects are named. */
export function lastPart(path: string): string {
  return composed(path.split(/[/\\]/).findLast((part) => part !== "") ?? path);
}
