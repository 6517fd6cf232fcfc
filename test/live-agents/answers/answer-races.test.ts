// 20 questions of a real Claude Code, each answered in its terminal and by `hookbell answer` at the same moment.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { claudeCode } from "../../agents/known/claude-code/recipe.ts";
import { installAgentCli } from "../../support/agents/agent-cli.ts";
import { interactiveArgs, startAgentSession } from "../../support/agents/agent-session.ts";
import { startAgentTerminal, terminalParts } from "../../support/agents/agent-terminal.ts";
import { promptFor } from "../../support/agents/pretend-model.ts";
import { describeWithParts } from "../../support/parts.ts";
import { runAsPerson } from "../../support/project/person-terminal.ts";
import { botToken, startPretendTelegram } from "../../support/receivers/pretend-telegram.ts";

const rounds = 20;
/** `hookbell answer` needs about this long to start; the key comes somewhat before or after. */
const aroundMs = 400;
/** Claude Code ignores keys that come as soon as its question does. */
const untilKeysCountMs = 2500;

describeWithParts("20 races with Claude Code", terminalParts, () => {
  it("have one winner each: nothing is made up, and nothing is run twice", async () => {
    const telegram = await startPretendTelegram();
    onTestFinished(telegram.close);
    const session = await startAgentSession(claudeCode);
    const { project, cwd, env } = session;
    project.writeRules({
      answers: { allow: ["Bash"], hold: "always", holdFor: "1m" },
      channels: { phone: { type: "telegram", token: botToken, chat: 7, apiUrl: telegram.origin, answers: true } },
      rules: [{ name: "asks", when: { event: "PermissionRequest" }, notify: ["phone"] }],
    });
    await session.install("init");
    const program = await installAgentCli(claudeCode.clis[0]);
    const figures = { answered: 0, obeyed: 0, overtaken: 0, madeUp: 0, twice: 0 };
    for (let round = 0; round < rounds; round += 1) {
      const file = `made-${round}`;
      const folder = mkdtempSync(join(project.home, "t-"));
      const terminal = startAgentTerminal(folder, [program, ...interactiveArgs(session, claudeCode)], { cwd, env });
      await terminal.until(/\? for shortcuts/);
      await terminal.enter(promptFor({ run: `truncate -s 0 a; echo x >> ${file}`, say: "Fine." }));
      await terminal.until(/Do you want to proceed\?/);
      await project.until("the question", () => telegram.messages.length > round);
      const [open] = JSON.parse((await project.run(["pending", "--json"])).stdout) as { id: string }[];
      await sleep(untilKeysCountMs);
      const allows = round % 2 === 0;
      const answering = runAsPerson(project, ["answer", open?.id ?? "", allows ? "allow" : "deny"]);
      await sleep((aroundMs * 2 * round) / rounds);
      terminal.press(allows ? "Escape" : "Enter");
      const isTaken = (await answering).code === 0;
      await sleep(2500);
      const path = join(cwd, file);
      const times = existsSync(path) ? readFileSync(path, "utf8").trim().split("\n").length : 0;
      const isObeyed = isTaken && times > 0 === allows;
      figures.answered += Number(isTaken);
      figures.obeyed += Number(isObeyed);
      // The terminal was first, and Claude Code had not said so yet.
      figures.overtaken += Number(isTaken && !isObeyed);
      figures.madeUp += Number(!isTaken && times > 0 === allows);
      figures.twice += Number(times > 1);
      spawnSync("tmux", ["-S", join(folder, "tmux"), "kill-server"]);
    }
    console.log(figures);
    expect(figures).toMatchObject({ madeUp: 0, twice: 0 });
  }, 400_000);
});
