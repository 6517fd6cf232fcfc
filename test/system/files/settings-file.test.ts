import { expect, it } from "vitest";
import { whyNotWritable } from "../../../src/system/files/settings-file.ts";

it("says of a file of Nix that Nix makes it, not that root owns it or that it is read-only", () => {
  const nix = "/nix/store/0c1b7gk7-home-manager-files/.claude/settings.json";
  expect(whyNotWritable(nix, { uid: 0, mode: 0o100444 })).toEqual({ unusable: "madeByNix", detail: "" });
  const uid = process.getuid?.() ?? 0;
  expect(whyNotWritable("/home/ann/nix/store/settings.json", { uid, mode: 0o100444 })).toMatchObject({
    unusable: "readOnlyFile",
  });
  expect(whyNotWritable("/home/ann/settings.json", { uid, mode: 0o100600 })).toBeUndefined();
});
