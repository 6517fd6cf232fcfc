// The keys of init's questions, in a real terminal.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { lineOf, openTmux } from "../../support/desktop/tmux.ts";
import { describeWithParts } from "../../support/parts.ts";
import { cliPath, temporaryProject } from "../../support/project/running-project.ts";
import { longestWaitMs } from "../../support/longest-wait.ts";

describeWithParts("the question before hooks are written", ["tmux"], () => {
  it.each([
    ["n", "hookbell: nothing was written", false],
    ["y", "wrote ", true],
  ])("takes %s and Enter as the answer", async (key, shown, isWritten) => {
    const project = temporaryProject();
    const settings = join(project.home, ".claude", "settings.json");
    mkdirSync(join(project.home, ".claude"));
    writeFileSync(settings, "{}\n");
    const pane = openTmux(project, lineOf(process.execPath, cliPath, "init", "--agent", "claude-code"), [80, 40]);
    await vi.waitFor(() => expect(pane.shown()).toContain("Write this change?"), { timeout: longestWaitMs });
    pane.type(key);
    pane.press("Enter");
    await vi.waitFor(() => expect(pane.shown()).toContain(shown), { timeout: longestWaitMs });
    expect(readFileSync(settings, "utf8") !== "{}\n").toBe(isWritten);
  });
});
