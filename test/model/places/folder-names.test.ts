import { describe, expect, it } from "vitest";
import { composed, folderNames, lastPart } from "../../../src/model/places/folder.ts";
import { everyRow } from "../../support/rows.ts";

const apart = "/Users/zoe\u0308/re\u0301sume\u0301";
const together = "/Users/zo\u00EB/r\u00E9sum\u00E9";

describe("the ways to write a folder", () => {
  it("are all tried for a pattern", () =>
    everyRow<[path: string, pattern: string, names: string[]]>(
      [
        ["/srv/shop", "*", ["/srv/shop"]],
        [apart, "*", [together]],
        ["/private/tmp/shop", "*", ["/private/tmp/shop", "/tmp/shop"]],
        ["/private/tmp", "*", ["/private/tmp", "/tmp"]],
        ["/private/var/folders/x1/T/shop", "*", ["/private/var/folders/x1/T/shop", "/var/folders/x1/T/shop"]],
        ["/tmp/shop", "/private/tmp/*", ["/tmp/shop", "/private/tmp/shop"]],
        ["/tmp/shop", "^/private/tmp/", ["/tmp/shop", "/private/tmp/shop"]],
        // A pattern of any folder whose name has the word.
        ["/tmp/shop", "*private*", ["/tmp/shop"]],
        ["/private/shop", "*", ["/private/shop"]],
        ["/private/tmpfiles", "*", ["/private/tmpfiles"]],
        ["/tmpfiles", "/private/*", ["/tmpfiles"]],
        ["/System/Volumes/Data/Users/ann", "*", ["/System/Volumes/Data/Users/ann", "/Users/ann"]],
        ["/Users/ann", "/System/Volumes/Data/*", ["/Users/ann", "/System/Volumes/Data/Users/ann"]],
        ["/System/Volumes/Data/private/tmp/a", "*", ["/System/Volumes/Data/private/tmp/a", "/private/tmp/a", "/tmp/a"]],
        ["/System/Volumes/Data", "*", ["/System/Volumes/Data"]],
        // Of another machine.
        ["mac:/private/tmp/shop", "*", ["mac:/private/tmp/shop", "mac:/tmp/shop"]],
        ["mac:/tmp/shop", "mac:/private/tmp/*", ["mac:/tmp/shop", "mac:/private/tmp/shop"]],
        ["", "*", [""]],
        ["private/tmp", "*", ["private/tmp"]],
      ],
      ([path, pattern, names]) => expect(folderNames(path, pattern), path).toEqual(names),
    ));

  it("end in the same name of a project", () => {
    expect(lastPart(apart)).toBe("r\u00E9sum\u00E9");
    expect(lastPart(together)).toBe(lastPart(apart));
    expect(lastPart("C:\\code\\shop\\")).toBe("shop");
    expect(lastPart("/")).toBe("/");
  });

  it("keep letters that have only one form", () => expect(composed("東京 a/b\u200B")).toBe("東京 a/b\u200B"));
});
