// Commands that only look or plan leave no file in the home folder, and neither do the programs that they start.
import { readdirSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { describeWithParts } from "../../support/parts.ts";
import { cliPath } from "../../support/project/running-project.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";

describeWithParts("a home folder without anything in it", ["paplay"], () => {
  it.each([
    ["init --dry-run --agent claude-code"],
    ["init --dry-run --rules --agent codex,opencode"],
    ["uninstall --dry-run"],
    ["channels add ntfy --set topic=x --events every --dry-run --yes"],
    ["channels"],
    ["status"],
  ])("is still empty after %s", (line) => {
    const home = temporaryFolder();
    // PulseAudio's client writes into the home folder where there is no XDG_RUNTIME_DIR.
    const env = { PATH: process.env.PATH, HOME: home };
    const { status, stderr } = spawnSync(process.execPath, [cliPath, ...line.split(" ")], {
      env,
      cwd: home,
      encoding: "utf8",
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(readdirSync(home, { recursive: true })).toEqual([]);
  });
});
