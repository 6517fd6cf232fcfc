// Where hookbell keeps its files, and whose home is meant.
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { findPlaces } from "../../src/system/paths.ts";

it("the home is the profile on Windows, where Git Bash may set another, and HOME elsewhere", () => {
  const env = { HOME: "/home/ann", USERPROFILE: "/profiles/ann" };
  expect(findPlaces(env, "win32").home).toBe("/profiles/ann");
  expect(findPlaces({ HOME: "/home/ann" }, "win32").home).toBe("/home/ann");
  expect(findPlaces(env, "linux").home).toBe("/home/ann");
  expect(findPlaces({ USERPROFILE: "/profiles/ann" }, "linux").home).toBe("/profiles/ann");
});

it("on Windows, files are in the folders of applications, not where HOME is", () => {
  const env = { HOME: "/elsewhere", USERPROFILE: "/profiles/ann", APPDATA: "/roaming" };
  const { configDir, stateDir } = findPlaces(env, "win32");
  expect(configDir).toBe(resolve("/roaming/hookbell"));
  expect(stateDir).toBe(resolve("/profiles/ann/AppData/Local/hookbell"));
});
