// Whether a hook waits for the page: only while a server runs, and a browser is paired that may answer.
import { expect, it } from "vitest";
import { servePage } from "../../support/usage/browser.ts";
import { storeDevice } from "../../support/usage/page-browser.ts";
import { runDispatcherOf } from "../../support/project/running-dispatcher.ts";
import { temporaryProject, type Project } from "../../support/project/running-project.ts";
import { askHook, askWithin, onlyQuestion, printed } from "../answers/asking.ts";

function projectWithoutChannels(): Project {
  const project = temporaryProject();
  project.writeRules({ answers: { allow: ["Bash"], hold: "always" }, channels: {}, rules: [] });
  return project;
}

it("a hook waits for a browser that may answer, and for no other", async () => {
  const project = projectWithoutChannels();
  const { server } = await servePage(project);
  runDispatcherOf(project);
  storeDevice(project.layout, ["read", "administer"]);
  expect(await printed(askWithin(project))).toBeUndefined();
  storeDevice(project.layout, ["read", "answer"]);
  const hook = askHook(project);
  await project.until("the question", () => onlyQuestion(project) !== undefined);
  const { stdout } = await project.command(["pending"]);
  expect(stdout).toMatch(/left, shown in the page/);
  hook.child.kill("SIGTERM");
  await hook.ended;
  await server.end("SIGKILL");
  expect(await printed(askWithin(project))).toBeUndefined();
});
