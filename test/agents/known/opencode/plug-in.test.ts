// The plug-in's text as it is installed: a new one is written over it, so a change must be meant.
import { expect, it } from "vitest";
import { opencodeHookSetup } from "../../../../src/agents/known/opencode/hook-setup.ts";
import { isUntouchedOwn, ownFileText } from "../../../../src/install/command/owner.ts";
import { sha256 } from "../../../../src/system/crypto.ts";

const call = {
  argv: ["/usr/bin/node", "/opt/$& hookbell/hook.cjs", "--agent", "opencode"],
  platform: "linux",
  events: ["session.idle", "permission.asked"],
  answering: ["permission.asked"],
} as const;

it("the plug-in has the words and events that it is installed with, and is otherwise byte for byte the one that is meant", () => {
  const [file] = opencodeHookSetup.ownFiles ?? [];
  const text = file === undefined ? "" : ownFileText(file, call);
  expect(text).toContain(`\nconst command = ${JSON.stringify(call.argv)};\n`);
  expect(file?.eventsIn?.(text)).toEqual(call.events);
  expect(text).toContain('\nconst answering = new Set(["permission.asked"]);\n');
  expect(text).not.toMatch(/@type|@ts-check/);
  expect(isUntouchedOwn(text)).toBe(true);
  expect(sha256(text)).toBe("ba8cae7ebdc787bd1de3defa69933e33d4a60883d5a11c03646dad70b61cb027");
});
