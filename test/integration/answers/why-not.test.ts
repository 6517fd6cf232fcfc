// Why the hook of a question did not wait for an answer, as the journal keeps it.
import { expect, it, onTestFinished } from "vitest";
import { runDispatcherOf } from "../../support/project/running-dispatcher.ts";
import { startPretendTelegram } from "../../support/receivers/pretend-telegram.ts";
import { askHook, printed, telegramProject } from "./asking.ts";

it("`log --why` says why a hook did not wait, also where a dispatcher takes its payload in at once", async () => {
  const telegram = await startPretendTelegram();
  onTestFinished(telegram.close);
  const project = telegramProject(telegram, { hold: "never" });
  runDispatcherOf(project);
  expect(await printed(askHook(project))).toBeUndefined();
  const event = (): { id?: string } | undefined =>
    project.journal().find(({ kind }) => kind === "event")?.event as { id?: string } | undefined;
  await project.until("the event", () => event() !== undefined);
  const { stdout } = await project.command(["log", "--why", event()?.id ?? ""]);
  expect(stdout).toContain('"answers.hold" is "never"');
  const notes = project.journal().filter(({ what }) => what === "not asked elsewhere");
  expect(notes).toMatchObject([{ kind: "answer", event: event()?.id, agent: "claude-code", tool: "Bash" }]);
});
