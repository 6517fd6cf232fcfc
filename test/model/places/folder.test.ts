// Which paths are of Windows, which of them are one folder, and what is in a folder.
import { expect, it } from "vitest";
import { isSameFolder, isWindowsPath, pathBelow } from "../../../src/model/places/folder.ts";
import { everyRow } from "../../support/rows.ts";

it("a path of Windows starts with a drive or a share", () => {
  for (const path of ["C:\\x", "c:/x", "C:", "\\\\nas\\work"]) expect(isWindowsPath(path), path).toBe(true);
  for (const path of ["", "/c/x", "c", "C:x", "~\\x", "//nas/work"]) expect(isWindowsPath(path), path).toBe(false);
});

it("spellings are one folder on Windows and macOS alone", () =>
  everyRow<[one: string, other: string, isSame: boolean]>(
    [
      ["C:\\Users\\Ann", "c:/users/ann", true],
      ["C:\\Users\\Ann\\", "C:\\Users\\Ann", true],
      ["C:\\Users\\Ann", "D:\\Users\\Ann", false],
      ["/srv/shop", "/srv/shop", true],
      ["/srv/shop", "/srv/Shop", false],
      ["/srv/shop", "/srv/shop/", false],
      // On macOS.
      ["/private/var/folders/a", "/var/folders/a", true],
      ["/Users/zoe\u0308", "/Users/zo\u00EB", true],
      ["/Users/zoe\u0308", "/Users/zoe", false],
    ],
    ([one, other, isSame]) => expect(isSameFolder(one, other)).toBe(isSame),
  ));

it("a path below a folder is told with slashes", () =>
  everyRow<[folder: string, path: string, below: string | undefined]>(
    [
      ["C:\\shop", "c:\\Shop\\src\\a.ts", "src/a.ts"],
      ["c:/shop", "C:\\shop\\a.ts", "a.ts"],
      ["C:\\shop", "C:\\shopping\\a.ts", undefined],
      ["/srv/shop", "/srv/shop/src/a.ts", "src/a.ts"],
      ["/srv/shop", "/srv/Shop/a.ts", undefined],
      ["", "/a", undefined],
    ],
    ([folder, path, below]) => expect(pathBelow(folder, path)).toBe(below),
  ));
