// The project and what happened are in the title of every channel type, however long the project and the command are.
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { AgentEvent } from "../../../src/model/event.ts";
import { headlineOf } from "../../../src/rules/apply/default-text.ts";
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

const name = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom("a", "b", "-", "é", "店", "😀", "(", " "), maxLength }).map((text) => `x${text}x`);
const facts = fc.record({ project: name(150), sessionName: name(60), command: name(300) });

/** Each way to say what happened. */
const sayings: readonly ((command: string) => Partial<AgentEvent>)[] = [
  () => ({ name: "Stop" }),
  () => ({ name: "SubagentStop" }),
  () => ({ name: "StopFailure", reason: "cloud_credential_error" }),
  () => ({ name: "PermissionRequest" }),
  () => ({ name: "Notification", notificationType: "idle_prompt" }),
  (command) => ({ name: "PermissionRequest", request: `run ${command}?`, headline: "asks to run a command" }),
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

describe.each(shownTypes)("a title through $name", ({ show }) => {
  it("says what happened within the limits", async () => {
    for (const [index, say] of sayings.entries()) {
      await fc.assert(
        fc.asyncProperty(facts, async ({ project, sessionName, command }) => {
          const told = { ...event, project, sessionName, ...say(command) };
          const headline = headlineOf(told, told.level) ?? "";
          const message = renderMessage({}, told, { headline });
          const shown = await show({ message: { ...message, fields: [] }, event: told });
          expectSound(shown);
          for (const title of titlesOf(shown)) {
            expect(plain(title)).toContain(`x${plain(project.slice(1, 5)).trimEnd()}`);
            expect(plain(title)).toContain(`: ${headline}`);
          }
        }),
        // The first ones would be short, and few are long enough to be cut.
        { seed: 20 + index, unbiased: true, numRuns: slowRuns(6) },
      );
    }
  });

  it("keeps the beginning of a rule's own", async () => {
    const { template: title } = compileTemplate("Hello {project}");
    const message = renderMessage({ title }, { ...event, project: "long ".repeat(400) }, {});
    const shown = await show({ message: { ...message, fields: [] } });
    expectSound(shown);
    for (const text of titlesOf(shown)) expect(plain(text)).toMatch(/Hello long/);
  });
});
