// A question of a real Claude Code appears on the page, is allowed there, and is gone everywhere once the command runs.
import { existsSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { listQuestions } from "../../src/answers/questions.ts";
import { claudeCode } from "../agents/known/claude-code/recipe.ts";
import { installAgentCli } from "../support/agents/agent-cli.ts";
import { interactiveArgs, startAgentSession } from "../support/agents/agent-session.ts";
import { startAgentTerminal, terminalParts } from "../support/agents/agent-terminal.ts";
import { promptFor } from "../support/agents/pretend-model.ts";
import { describeWithParts } from "../support/parts.ts";
import { browserParts, openBrowser, openContext, servePage, sizes } from "../support/usage/browser.ts";
import { botToken, startPretendTelegram } from "../support/receivers/pretend-telegram.ts";

describeWithParts("the page with Claude Code", [...terminalParts, ...browserParts], () => {
  it("shows its question, whose Allow runs the command and ends the question everywhere", async () => {
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
    const { pairedTab, complaints } = await servePage(project);
    const browser = await openBrowser();
    const phone = await pairedTab(await openContext(browser, sizes.phone), ["read", "answer"]);
    const desk = await pairedTab(await openContext(browser, sizes.desk), ["read"], "Ben's desk");
    const program = await installAgentCli(claudeCode.clis[0]);
    const folder = mkdtempSync(join(project.home, "t-"));
    const terminal = startAgentTerminal(folder, [program, ...interactiveArgs(session, claudeCode)], { cwd, env });
    await terminal.until(/\? for shortcuts/);
    await terminal.enter(promptFor({ run: "truncate -s 0 a; echo x >> made", say: "Fine." }));
    await terminal.until(/Do you want to proceed\?/);
    const allow = phone.getByRole("button", { name: "Allow", exact: true });
    await allow.waitFor();
    const shownAt = Date.now();
    await desk.getByText("truncate -s 0 a; echo x >> made").first().waitFor();
    await project.until("the question on the phone", () => telegram.messages.length > 0);
    expect(existsSync(join(cwd, "made"))).toBe(false);
    await allow.click();
    await project.until("the command", () => existsSync(join(cwd, "made")));
    for (const tab of [phone, desk]) await tab.getByText("No session needs you.").waitFor();
    await terminal.until(/Fine\./);
    await project.until("the edited message", () => telegram.messages.some(({ earlier }) => earlier.length > 0));
    expect(telegram.messages.map(({ text, buttons }) => [text.includes("allowed by Ann's phone"), buttons])).toEqual([
      [true, []],
    ]);
    const [question] = listQuestions(project.layout);
    console.log({ shownAfterMs: shownAt - (question?.askedAt ?? 0) });
    expect(complaints).toEqual([]);
  }, 180_000);

  it("takes several choices by their numbers, and says of a number that is none what to write", async () => {
    const session = await startAgentSession(claudeCode);
    const { project, cwd, env } = session;
    project.writeRules({
      answers: { hold: "always", holdFor: "2m" },
      channels: { bell: { type: "terminal" } },
      rules: [{ name: "asks", when: { event: "PermissionRequest" }, notify: ["bell"] }],
    });
    await session.install("init");
    const { pairedTab, complaints } = await servePage(project);
    const phone = await pairedTab(await openContext(await openBrowser(), sizes.phone), ["read", "answer"]);
    const program = await installAgentCli(claudeCode.clis[0]);
    const folder = mkdtempSync(join(project.home, "t-"));
    const terminal = startAgentTerminal(folder, [program, ...interactiveArgs(session, claudeCode)], { cwd, env });
    await terminal.until(/\? for shortcuts/);
    const options = ["Lint", "Tests", "Types"].map((label) => ({ label, description: `Run ${label}` }));
    const questions = [{ question: "Which checks?", header: "Checks", options, multiSelect: true }];
    await terminal.enter(promptFor({ use: "AskUserQuestion", callWith: { questions }, say: "Fine." }));
    await terminal.until(/Which checks\?[^]*Lint/);
    const answer = phone.getByLabel("Your answer");
    await answer.waitFor();
    const send = phone.getByRole("button", { name: "Reply", exact: true });
    await answer.fill("1, 9");
    await send.click();
    await phone
      .getByText(/from 1 to 3/)
      .last()
      .waitFor();
    expect(listQuestions(project.layout)[0]).not.toHaveProperty("given");
    await answer.fill("1, 3");
    await send.click();
    const isRead = (): boolean =>
      session.model.requests.some(({ body }) => /Which checks\?[^]{0,20}=[^]{0,5}Lint, Types/.test(body));
    await project.until("the model's turn", isRead);
    await phone.getByText("No session needs you.").waitFor();
    expect(complaints).toEqual([]);
  }, 180_000);
});
