// Folders of Windows, which one folder has under many spellings: `C:\Users\Ann\shop`, `c:/users/ann/Shop`.

/** A drive or a share. The path says so itself, since an event may come from another machine. */
const ofWindows = /^(?:[A-Za-z]:(?:[\\/]|$)|\\\\)/;

export function isWindowsPath(path: string): boolean {
  return ofWindows.test(path);
}

/** The one spelling of a path of Windows, or of a part or pattern of one, by which it is compared. */
export function windowsKey(path: string): string {
  return path.replaceAll("\\", "/").toLowerCase();
}

/** Elsewhere each spelling is a folder of its own. */
export function isSameFolder(one: string, other: string): boolean {
  return one === other || (isWindowsPath(one) && bareKey(one) === bareKey(other));
}

/** The path below a folder, with `/`; undefined for one that is not in it. */
export function pathBelow(folder: string, path: string): string | undefined {
  const key = isWindowsPath(folder) ? windowsKey : (text: string) => text;
  if (folder === "" || !key(path).startsWith(`${key(folder)}/`)) return undefined;
  const below = path.slice(folder.length + 1);
  return isWindowsPath(folder) ? below.replaceAll("\\", "/") : below;
}

function bareKey(path: string): string {
  const key = windowsKey(path);
  return key.endsWith("/") ? key.slice(0, -1) : key;
}
