// From the hook's file to the vendor's door: a session has one message, edited as it goes on, and a new one when the
// earlier one was deleted meanwhile. The doors are pretended, and remember what lies behind them.
import { describe, expect, it, onTestFinished } from "vitest";
import type { MatrixContent } from "../../../src/channels/chat/matrix/message.ts";
import { startAnsweringReceiver, type Answer, type Asked } from "../../support/receivers/answering-receiver.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";

type Door = (asked: Asked, shown: Set<number>) => Answer;

const discordDoor: Door = ({ path }, shown) => {
  const edited = /\/messages\/(\d+)$/.exec(path)?.[1];
  if (edited !== undefined && !shown.has(Number(edited))) {
    return { status: 404, body: '{"message":"Unknown Message","code":10008}' };
  }
  const id = edited === undefined ? shown.size + 1 : Number(edited);
  shown.add(id);
  return { status: 200, body: JSON.stringify({ id: String(id) }) };
};

const telegramDoor: Door = ({ path, body }, shown) => {
  const { message_id: edited } = JSON.parse(body) as { message_id?: number };
  if (path.endsWith("/editMessageText") && !shown.has(Number(edited))) {
    const description = "Bad Request: message to edit not found";
    return { status: 400, body: JSON.stringify({ ok: false, error_code: 400, description }) };
  }
  const id = edited ?? shown.size + 1;
  shown.add(id);
  return { status: 200, body: JSON.stringify({ ok: true, result: { message_id: id } }) };
};

/** Takes edits of deleted events too, as homeservers do. */
const matrixDoor: Door = ({ path }, shown) => {
  if (path.includes("/state/")) return { status: 404, body: '{"errcode":"M_NOT_FOUND"}' };
  const event = Number(decodeURIComponent(path).split("$")[1]);
  if (path.includes("/event/")) {
    const deleted = shown.has(event) ? {} : { unsigned: { redacted_because: { type: "m.room.redaction" } } };
    return { status: 200, body: JSON.stringify({ event_id: `$${event}`, content: {}, ...deleted }) };
  }
  const id = Math.max(0, ...shown) + 1;
  shown.add(id);
  return { status: 200, body: JSON.stringify({ event_id: `$${id}` }) };
};

/** The last part of each path that was asked for, with the id of the message where one is edited. */
async function tell(door: Door, channelAt: (origin: string) => Record<string, unknown>): Promise<string[]> {
  const shown = new Set<number>();
  const receiver = await startAnsweringReceiver((asked) => door(asked, shown));
  onTestFinished(() => receiver.close());
  const running = prepareDispatcher();
  running.writeRules({
    channels: { chat: { ...channelAt(receiver.origin), update: "replace" } },
    rules: [{ name: "all", notify: ["chat"] }],
  });
  for (const session of ["s1", "s1", "s2", "deleted", "s1", "s1"]) {
    if (session === "deleted") {
      // The ids go on from where they were.
      shown.delete(1);
      shown.add(0);
      continue;
    }
    running.accept("Stop", { session_id: session });
    await running.run({ idleMs: 0 });
  }
  const outcomes = running.journal("attempt");
  expect(outcomes).toHaveLength(5);
  expect(outcomes.every((entry) => JSON.stringify(entry).includes('"delivered"'))).toBe(true);
  const told = receiver.asked.filter(({ path }) => !path.includes("/state/"));
  return told.map(({ path, body }) => {
    if (path.includes("/event/")) return `look ${decodeURIComponent(path).split("/").at(-1)}`;
    const { message_id: edited } = JSON.parse(body) as { message_id?: number };
    const relation = (JSON.parse(body) as MatrixContent)["m.relates_to"];
    if (path.includes("m.room.message")) return relation === undefined ? "new" : `edit ${relation.event_id}`;
    const last = path.replace(/\?.*/, "").split("/").at(-1) ?? "";
    return edited === undefined ? last : `${last} ${edited}`;
  });
}

describe("a session's one message", () => {
  it("in Discord", async () => {
    const asked = await tell(discordDoor, (origin) => ({ type: "discord", url: `${origin}/api/webhooks/1/TOKEN` }));
    expect(asked).toEqual(["TOKEN", "1", "TOKEN", "1", "TOKEN", "3"]);
  });

  it("in Telegram", async () => {
    const token = "123456789:s3cretTokenOfTelegram_01234-x";
    const asked = await tell(telegramDoor, (apiUrl) => ({ type: "telegram", token, chat: 5, apiUrl }));
    expect(asked).toEqual([
      "sendMessage",
      "editMessageText 1",
      "sendMessage",
      "editMessageText 1",
      "sendMessage",
      "editMessageText 3",
    ]);
  });

  it("in Matrix", async () => {
    const own = { type: "matrix", room: "!r:x", token: "syt_s3cretTokenOfMatrix" };
    const asked = await tell(matrixDoor, (homeserver) => ({ ...own, homeserver }));
    // The edit of $1 is an event of its own, so that s2's message is $3.
    expect(asked).toEqual(["new", "look $1", "edit $1", "new", "look $1", "new", "look $4", "edit $4"]);
  });
});
