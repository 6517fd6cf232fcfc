// Tests never run against the person's real home: every worker gets an empty one before anything reads HOME.
import { mkdtempSync } from "node:fs";
import { join } from "node:path";

const homes = process.env.HOOKBELL_TEST_HOMES;
if (homes === undefined) throw new Error("scratch-homes.ts is not among vitest's globalSetup");
process.env.HOOKBELL_TEST_HOME ??= mkdtempSync(join(homes, "home-"));
process.env.HOME = process.env.HOOKBELL_TEST_HOME;
process.env.USERPROFILE = process.env.HOOKBELL_TEST_HOME;
for (const name of Object.keys(process.env)) {
  if (name.startsWith("XDG_CONFIG") || name.startsWith("XDG_STATE") || name === "APPDATA" || name === "LOCALAPPDATA") {
    delete process.env[name];
  }
  if (name.startsWith("HOOKBELL_") && !name.startsWith("HOOKBELL_TEST_") && name !== "HOOKBELL_REQUIRE_PARTS")
    delete process.env[name];
}
