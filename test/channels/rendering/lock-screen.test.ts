// What a lock screen shows of every event that an agent was seen to send: the project, what happened, and what to decide on.
import { describe, expect, it } from "vitest";
import { readPayload } from "../../../src/agents/read-payload.ts";
import { toNotification } from "../../../src/channels/rendering/compose.ts";
import { columnsOf } from "../../../src/model/rich-text/columns.ts";
import { parseMarkdown } from "../../../src/model/rich-text/parse-markdown.ts";
import { measures } from "../../../src/model/text.ts";
import { eventOf } from "../../../src/pipeline/understand/event-of.ts";
import { headlineOf } from "../../../src/rules/apply/default-text.ts";
import { renderMessage } from "../../../src/rules/apply/render.ts";
import { capturedPayloads } from "../../support/agents/agent-payloads.ts";

/** Columns of a title's one line: the least of what phones and desktops show. */
const titleColumns = 40;
/** The project's columns; a longer one is cut on a phone, the headline last. */
const usualProject = 14;

const shownNames = new Set(["Notification", "PermissionRequest", "Stop", "StopFailure", "SubagentStop", "SessionEnd"]);
const surroundings = { id: "evt_1", receivedAt: Date.parse("2026-11-22T10:00:00Z"), host: "box", home: "/home/u" };

const events = capturedPayloads.flatMap(({ agentId, file, text }) => {
  const reading = readPayload(text, { agentId, env: {} });
  if (reading.status !== "valid" || reading.ignored !== undefined || !shownNames.has(reading.eventName)) return [];
  const event = {
    ...eventOf(reading, surroundings),
    project: "s".repeat(usualProject),
    branch: "main",
    isOnlyHost: true,
  };
  return [{ name: `${agentId}/${file}`, event, payload: reading.payload }];
});

describe("a lock screen", () => {
  it("is tried with every kind of event of every agent", () => {
    expect(events.length).toBeGreaterThan(30);
    expect(new Set(events.map(({ event }) => event.agent)).size).toBeGreaterThan(8);
  });

  it.each(events)("shows all of the title, and what to decide on first: $name", ({ event, payload }) => {
    const headline = headlineOf(event, event.level);
    const message = renderMessage({}, event, { headline, payload });
    const blocks = message.isMarkdown === true ? { blocks: parseMarkdown(message.body) } : {};
    const room = { maxTitle: 250, maxBody: 3500, measure: measures.bytes };
    const { title, body } = toNotification({ ...message, ...blocks }, event.name, room);
    expect(title).toBe(`${event.project}: ${headline}`);
    expect(columnsOf(title)).toBeLessThanOrEqual(titleColumns);
    const lines = body.split("\n");
    expect(lines.at(-1)).toMatch(/^main · /);
    const [, command] = /^run `([^]*)`\?$/.exec(event.request ?? "") ?? [];
    if (event.request !== undefined) expect(lines[0]).toBe((command ?? event.request).split("\n")[0]);
    else if (event.message !== undefined && !/waiting for your input/.test(event.message)) {
      expect(body).toContain(event.message.split("\n")[0]);
    }
  });
});
