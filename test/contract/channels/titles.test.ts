// What happened is in the title of every channel type, however long the project, its session and the command are.
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { AgentEvent } from "../../../src/model/event.ts";
import { renderMessage } from "../../../src/rules/apply/render.ts";
import { compileTemplate } from "../../../src/rules/schema/template.ts";
import { shownTypes, stopShowing } from "../../support/channels/shown-types.ts";
import type { Shown } from "../../support/channels/shown.ts";
import { slowRuns } from "../../support/random/slow-runs.ts";
import { expectSound } from "../../support/desktop/sound-text.ts";

afterAll(stopShowing);

const event: AgentEvent = {
  id: "evt_1",
  name: "Stop",
  agent: "claude-code",
  session: "s-1",
  cwd: "/srv/shop",
  project: "shop",
  host: "box",
  at: "2026-11-21T12:00:00.000Z",
  level: "attention",
  durationMs: 3_599_000,
};
const ended = "after 59m 59s";

const name = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom("a", "b", "-", "é", "店", "😀", "(", " "), maxLength }).map((text) => `x${text}x`);
const facts = fc.record({ project: name(150), sessionName: name(60), command: name(300) });

/** Each way to say what happened, and the words that no title may lose. */
const sayings: readonly ((command: string) => [more: Partial<AgentEvent>, words: string[]])[] = [
  () => [{ name: "Stop" }, [`is done ${ended}`]],
  () => [{ name: "SubagentStop" }, [`subagent is done ${ended}`]],
  () => [{ name: "StopFailure" }, ["was stopped by an error"]],
  () => [{ name: "PermissionRequest" }, ["needs your permission"]],
  () => [{ name: "Notification", notificationType: "idle_prompt" }, ["is waiting for you"]],
  (command) => [{ name: "PermissionRequest", request: `run ${command}?` }, ["run x", "x?"]],
  (command) => [{ name: "Stop", title: `${command.slice(0, 60)} is done` }, [`is done ${ended}`]],
  (command) => [{ name: "StopFailure", title: `${command.slice(0, 60)} failed` }, [`failed ${ended}`]],
];

/** Without what escapes a sign, and the backslashes of Markdown. */
const plain = (text: string): string => text.replace(/[\u200B\u2060\\]/g, "");

/** The title as it is sent; where it has no limit of its own, all that is sent. */
function titlesOf({ sizes, forms }: Shown): string[] {
  const titles = sizes
    .filter(({ what }) => /^(?:the )?(?:title(?!, body)|subject)\b/.test(what))
    .map(({ piece }) => piece);
  return titles.length > 0 ? titles : forms.map(({ text }) => text);
}

describe.each(shownTypes)("a title through $type", ({ show }) => {
  it("says what happened within the limits", async () => {
    for (const [index, say] of sayings.entries()) {
      await fc.assert(
        fc.asyncProperty(facts, async ({ project, sessionName, command }) => {
          const [more, words] = say(command);
          const told = { ...event, project, sessionName, ...more };
          const shown = await show({ message: { ...renderMessage({}, told, {}), fields: [] }, event: told });
          expectSound(shown);
          for (const title of titlesOf(shown)) for (const word of words) expect(plain(title)).toContain(word);
        }),
        // The first ones would be short, and few are long enough to be cut.
        { seed: 20 + index, unbiased: true, numRuns: slowRuns(6) },
      );
    }
  });

  it("keeps the head and the tail of a rule's own", async () => {
    const { template: title } = compileTemplate("Hello {project}, it is over");
    const message = renderMessage({ title }, { ...event, project: "long ".repeat(400) }, {});
    const shown = await show({ message: { ...message, fields: [] } });
    expectSound(shown);
    for (const text of titlesOf(shown)) expect(plain(text)).toMatch(/Hello[^]*over/);
  });
});
