// The plug-in's text as it is installed, which is what 1.0.0-rc.1 installed: a new one is written over it, so a change must be meant.
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

it("the plug-in has the words and events that it is installed with, and is otherwise byte for byte as before", () => {
  const [file] = opencodeHookSetup.ownFiles ?? [];
  const text = file === undefined ? "" : ownFileText(file, call);
  expect(text).toContain(`\nconst command = ${JSON.stringify(call.argv)};\n`);
  expect(file?.eventsIn?.(text)).toEqual(call.events);
  expect(text).toContain('\nconst answering = new Set(["permission.asked"]);\n');
  expect(text).not.toMatch(/@type|@ts-check/);
  expect(isUntouchedOwn(text)).toBe(true);
  expect(sha256(text)).toBe("a6b5d1188ab15f67264b09ba9a8734bfff1108dc76b2b1e6cb3e0b16bcbbd46c");
});
