import { expect, it } from "vitest";
import { runCommand } from "../../../src/cli/command-line.ts";
import { ensureLayout, layoutOf } from "../../../src/outbox/layout.ts";
import { listRemotes, writeRemote } from "../../../src/wings/remote/remotes.ts";
import { commandIo } from "../../support/project/command-io.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";

it("remote remove --forget forgets a machine only when it may write", async () => {
  const home = temporaryFolder();
  let stdout = "";
  const io = commandIo(home, { env: { HOME: home, PATH: "" }, stdout: (text) => void (stdout += text) });
  const layout = layoutOf(io.places.stateDir);
  ensureLayout(layout);
  writeRemote(layout, { name: "box", transport: "ssh", target: "box", owner: "owner", madeFolders: [] });
  const remove = (...more: string[]) => runCommand(["remote", "remove", "box", "--forget", ...more], io);
  expect(await remove("--dry-run")).toBe(0);
  expect(stdout).toBe("dry run: nothing was written\n");
  expect(await remove()).toBe(64);
  expect(listRemotes(layout)).toHaveLength(1);
  expect(await remove("--yes")).toBe(0);
  expect(stdout).toContain("its hooks stay on box");
  expect(listRemotes(layout)).toEqual([]);
});
