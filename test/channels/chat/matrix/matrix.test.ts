import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChannelTools } from "../../../../src/channels/channel-type.ts";
import * as made from "../../../../src/channels/chat/matrix/message.ts";
import { placeOf, matrix } from "../../../../src/channels/chat/matrix/matrix.ts";
import { measures } from "../../../../src/model/text.ts";
import type { Message } from "../../../../src/model/message.ts";
import { Secret } from "../../../../src/model/privacy/secret.ts";
import type { HttpFailure, HttpRequest, HttpResponse } from "../../../../src/system/network/http.ts";
import { resolveSecrets } from "../../../../src/system/secrets.ts";
import { localRequest, localTools } from "../../../support/channels/channel-request.ts";
import { adversarialTexts } from "../../../support/channels/adversarial-texts.ts";
import { push, verdict } from "../../../support/channels/pushed.ts";
import { levels } from "../../../../src/model/level.ts";
import { slowRuns } from "../../../support/random/slow-runs.ts";
import { everyRow } from "../../../support/rows.ts";

const settings = { homeserver: "https://matrix.example.org", room: "!room/1:example.org", token: "syt_s3cret" };
const { account } = placeOf({ room: "", token: new Secret(settings.token) });
const ok = { body: '{"event_id":"$1"}' };

const message = (more: Partial<Message> = {}): Message => ({
  title: "shop: done",
  body: "All tests pass.\nNone failed.",
  level: "success",
  fields: [{ label: "project", value: "shop" }],
  ...more,
});

/** Reads the HTML as strictly as it is written: no tag but these, each closed, every other sign an entity. */
function readHtml(html: string): string {
  const open: string[] = [];
  let text = "";
  for (const [part, tag, entity, plain] of html.matchAll(
    /<(br|strong|\/strong|span data-mx-color="#[0-9A-F]{6}"|\/span)>|&(amp|lt|gt);|([^<>&]+)|[^]/g,
  )) {
    if (tag === "br") text += "\n";
    else if (tag?.startsWith("/")) expect(open.pop()).toBe(tag.slice(1));
    else if (tag !== undefined) open.push(tag.split(" ")[0] ?? "");
    else if (entity !== undefined) text += { amp: "&", lt: "<", gt: ">" }[entity];
    else if (plain !== undefined) text += plain;
    else throw new Error(`not HTML as Matrix takes it: ${part}`);
  }
  expect(open).toEqual([]);
  return text;
}

describe("toMatrixContent", () => {
  it("is what the specification says", () => {
    expect(made.toMatrixContent(message(), "Stop", "m.notice", undefined)).toEqual({
      msgtype: "m.notice",
      body: "🟢 shop: done\n\nAll tests pass.\nNone failed.\n\nproject: shop",
      format: "org.matrix.custom.html",
      formatted_body:
        '<span data-mx-color="#2EB67D">●</span> <strong>shop: done</strong><br>All tests pass.<br>None failed.<br>project: shop',
      "m.mentions": {},
    });
  });

  it("looks different for each level, in both forms", () => {
    const shown = levels.map((level) => made.toMatrixContent(message({ level }), "Stop", "m.notice", undefined));
    expect(new Set(shown.map(({ body }) => body)).size).toBe(levels.length);
    expect(new Set(shown.map(({ formatted_body: html }) => html)).size).toBe(levels.length);
  });

  it("edits with a fallback for programs that know of no edits", () => {
    const plain = made.toMatrixContent(message(), "Stop", "m.text", undefined);
    expect(made.toMatrixContent(message(), "Stop", "m.text", "$first")).toEqual({
      ...plain,
      body: `* ${plain.body}`,
      formatted_body: `* ${plain.formatted_body}`,
      "m.new_content": plain,
      "m.relates_to": { rel_type: "m.replace", event_id: "$first" },
    });
  });

  const html = (body: string): string =>
    made.toMatrixContent(message({ title: "t", body, fields: [] }), "Stop", "m.notice", undefined).formatted_body;
  it.each([
    ["x", "x"],
    ["😀", "😀"],
    ["<", "&lt;"],
    ['"', '\\"'],
  ])("fills the body's room with %s, and no more", (unit, written) => {
    const fitting = Math.floor(made.maxHtmlBytes / Buffer.byteLength(written));
    expect(html(unit.repeat(fitting))).not.toContain("…");
    expect(html(unit.repeat(fitting + 1))).toMatch(/…$/);
    expect(readHtml(html(unit.repeat(fitting + 1)))).toMatch(/…$/);
  });

  it("is plain text in its HTML, and within the event's size, whatever strangers write", () => {
    const wild = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 300 }),
      fc.string({ unit: fc.constantFrom(..."<>&\"'@/!-= \nabr;#".split("")), maxLength: 100 }),
      fc.constantFrom(...adversarialTexts),
    );
    fc.assert(
      fc.property(wild, wild, wild, (title, body, value) => {
        const fields = Array.from({ length: 12 }, () => ({ label: value, value }));
        const content = made.toMatrixContent(message({ title, body, fields }), "Stop", "m.notice", "$first");
        // What the server adds: sender, room, hashes, signatures, what the event follows.
        expect(Buffer.byteLength(JSON.stringify(content)) + 4000).toBeLessThanOrEqual(made.maxEventBytes);
        expect(readHtml(content["m.new_content"]?.formatted_body ?? "<")).toMatch(/^● ./);
        for (const shown of [content.body, content.formatted_body]) {
          expect(shown.isWellFormed()).toBe(true);
          expect(shown).not.toMatch(/@[^\u200B]|[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E]/);
        }
      }),
      { numRuns: slowRuns(60) },
    );
  });

  it("rings no one by @room, an address or a link to a person", () => {
    const text = "@room @me:example.org https://matrix.to/#/@me:example.org <a href='https://matrix.to/#/@me:x'>me</a>";
    const content = made.toMatrixContent(message({ title: text, body: text }), "Stop", "m.notice", undefined);
    expect(content["m.mentions"]).toEqual({});
    expect(`${content.body}${content.formatted_body}`).not.toMatch(/@[a-z]/);
    expect(content.formatted_body).not.toContain("<a");
  });

  it("has a body in any case", () => {
    const content = made.toMatrixContent(
      message({ title: "", body: " ", fields: [] }),
      "SessionEnd",
      "m.notice",
      undefined,
    );
    expect(content.body).toBe("🟢 SessionEnd");
  });
});

describe("the Matrix channel", () => {
  it("puts the event under the delivery's id, so that a repeat is the same event", async () => {
    const { request, outcome } = await push(matrix, settings, { answer: ok });
    expect(request).toMatchObject({
      method: "PUT",
      url: "https://matrix.example.org/_matrix/client/v3/rooms/!room%2F1%3Aexample.org/send/m.room.message/msg_1",
      headers: { authorization: "Bearer syt_s3cret" },
    });
    expect(outcome).toEqual({ status: "delivered" });
    expect(matrix.isRepeatHarmless).toBe(true);
  });

  it.each([
    ["https://example.org/matrix/", "https://example.org/matrix/_matrix/client/"],
    ["https://example.org", "https://example.org/_matrix/client/"],
  ])("finds the interface below %s", async (homeserver, start) => {
    expect((await push(matrix, { ...settings, homeserver }, { answer: ok })).request?.url).toMatch(
      new RegExp(`^${start.replaceAll(".", "\\.")}v3/`),
    );
  });

  it("rings phones where it may", async () => {
    expect((await push(matrix, settings, { answer: ok })).body.msgtype).toBe("m.notice");
    expect((await push(matrix, { ...settings, msgtype: "m.text" }, { answer: ok })).body.msgtype).toBe("m.text");
  });

  it("takes no room without an id or an alias", () =>
    everyRow(["#shop:example.org", "!", "room", "!a b", `!${"x".repeat(255)}`], (room) => {
      expect(matrix.settings.safeParse({ ...settings, room }).error?.issues[0]?.message).toMatch(/starts with !/);
    }));

  it("reads what a homeserver answers", () =>
    everyRow(
      [
        [200, ok.body, "delivered", undefined],
        [200, "{}", "rejected", undefined],
        [200, '{"event_id":7}', "rejected", undefined],
        [200, "<html>Sign in</html>", "rejected", undefined],
        [429, '{"errcode":"M_LIMIT_EXCEEDED","retry_after_ms":2500}', "rateLimited", 2500],
        [429, '{"errcode":"M_LIMIT_EXCEEDED","retry_after_ms":1e15}', "rateLimited", 86_400_000],
        [429, '{"errcode":"M_LIMIT_EXCEEDED","retry_after_ms":"soon"}', "rateLimited", undefined],
        [403, '{"errcode":"M_RESOURCE_LIMIT_EXCEEDED"}', "serverError", undefined],
        [401, '{"errcode":"M_UNKNOWN_TOKEN"}', "unauthorized", undefined],
        [401, '{"errcode":"M_MISSING_TOKEN"}', "unauthorized", undefined],
        [403, '{"errcode":"M_FORBIDDEN"}', "unauthorized", undefined],
        [403, '{"errcode":"M_GUEST_ACCESS_FORBIDDEN"}', "unauthorized", undefined],
        [403, '{"errcode":"M_USER_DEACTIVATED"}', "unauthorized", undefined],
        [401, '{"errcode":"M_USER_LOCKED"}', "unauthorized", undefined],
        [403, '{"errcode":"M_USER_SUSPENDED"}', "unauthorized", undefined],
        [403, '{"errcode":"M_CONSENT_NOT_GIVEN"}', "unauthorized", undefined],
        [404, '{"errcode":"M_NOT_FOUND"}', "gone", undefined],
        [404, '{"errcode":"M_UNRECOGNIZED"}', "rejected", undefined],
        [413, '{"errcode":"M_TOO_LARGE"}', "rejected", undefined],
        [400, '{"errcode":"M_BAD_JSON"}', "rejected", undefined],
        [400, '{"errcode":"M_NOT_JSON"}', "rejected", undefined],
        [400, '{"errcode":"M_INVALID_PARAM"}', "rejected", undefined],
        [400, '{"errcode":"toString"}', "rejected", undefined],
        [502, "<html>bad gateway</html>", "serverError", undefined],
      ],
      async ([status, body, reason, retryAfterMs]) => {
        expect(verdict((await push(matrix, settings, { answer: { status, body } })).outcome)).toEqual([
          reason,
          retryAfterMs,
        ]);
      },
      (row) => JSON.stringify(row),
    ));

  it("heeds Retry-After before what is deprecated", async () => {
    const body = '{"errcode":"M_LIMIT_EXCEEDED","retry_after_ms":2500}';
    const { outcome } = await push(matrix, settings, {
      answer: { status: 429, body, headers: { "retry-after": "4" } },
    });
    expect(verdict(outcome)).toEqual(["rateLimited", 4000]);
  });

  /** What the homeserver says of the earlier event when it is asked for it. */
  const stillThere = { status: 200, body: '{"event_id":"$1","content":{"msgtype":"m.notice","body":"x"}}' };

  async function update(
    room: string,
    remembered: Record<string, string> | undefined,
    answer = ok,
    look: { status: number; body: string } = stillThere,
  ) {
    const resolved = await resolveSecrets(
      matrix.settings.parse({ ...settings, room, update: "replace" }),
      {},
      "/nowhere",
    );
    const sent: HttpRequest[] = [];
    const http = (request: HttpRequest) => {
      sent.push(request);
      return Promise.resolve({ status: 200, headers: {}, ...(request.method === "GET" ? look : answer) });
    };
    const outcome = await matrix.send(localRequest({}, resolved, remembered), localTools({}, "/nowhere", { http }));
    const content = JSON.parse(sent.at(-1)?.body ?? "{}") as made.MatrixContent;
    return { outcome, relation: content["m.relates_to"], looks: sent.filter(({ url }) => url.includes("/event/")) };
  }

  it("edits the session's first event, however often, and never an edit", async () => {
    const first = { room: "!a:x", event: "$1", account };
    expect(await update("!a:x", undefined)).toEqual({
      outcome: { status: "delivered", remember: first },
      relation: undefined,
      looks: [],
    });
    const second = await update("!a:x", first, { body: '{"event_id":"$2"}' });
    expect(second).toMatchObject({
      outcome: { status: "delivered", remember: first },
      relation: { rel_type: "m.replace", event_id: "$1" },
    });
    expect(second.looks.map(({ url }) => url)).toEqual([
      expect.stringMatching(/\/_matrix\/client\/v3\/rooms\/!a%3Ax\/event\/%241$/),
    ]);
  });

  it("begins anew where the earlier event is gone", () =>
    everyRow(
      [
        [200, '{"event_id":"$1","content":{},"unsigned":{"redacted_because":{"type":"m.room.redaction"}}}', true],
        [404, '{"errcode":"M_NOT_FOUND"}', true],
        [404, '{"errcode":"M_UNRECOGNIZED"}', false],
        [403, '{"errcode":"M_FORBIDDEN"}', false],
        [502, "", false],
        [200, "<html>", false],
      ],
      async ([status, body, isNew]) => {
        const seen = await update("!a:x", { room: "!a:x", event: "$0", account }, ok, { status, body });
        expect(seen.relation?.event_id).toBe(isNew ? undefined : "$0");
        expect(seen.outcome).toMatchObject({ remember: { event: isNew ? "$1" : "$0" } });
      },
      (row) => JSON.stringify(row),
    ));

  it("leaves another account's event alone, since no one would be shown its edit", async () => {
    const { relation, looks } = await update("!a:x", { room: "!a:x", event: "$9", account: "0123456789abcdef" });
    expect([relation, looks]).toEqual([undefined, []]);
  });

  it("starts anew in another room", async () => {
    expect(await update("!b:x", { room: "!a:x", event: "$9", account })).toEqual({
      outcome: { status: "delivered", remember: { room: "!b:x", event: "$1", account } },
      relation: undefined,
      looks: [],
    });
  });
});

describe("doctor's look at a Matrix room", () => {
  async function probe(answer: HttpResponse | HttpFailure) {
    const resolved = await resolveSecrets(matrix.settings.parse(settings), {}, "/nowhere");
    const asked: HttpRequest[] = [];
    const http: ChannelTools["http"] = (request) => {
      asked.push(request);
      return Promise.resolve(answer);
    };
    return { result: await matrix.probe?.(resolved as never, localTools({}, "/nowhere", { http })), asked };
  }
  const answered = (status: number, body: string): HttpResponse => ({ status, headers: {}, body });

  it("reads what the homeserver answers", () =>
    everyRow(
      [
        [answered(404, '{"errcode":"M_NOT_FOUND"}'), "ok", /not encrypted/],
        [answered(200, '{"algorithm":"m.megolm.v1.aes-sha2"}'), "broken", /is encrypted/],
        [answered(404, '{"errcode":"M_UNRECOGNIZED"}'), "broken", /not a Matrix homeserver/],
        [answered(404, "<html>nothing here</html>"), "broken", /404/],
        [answered(200, "<html>Sign in</html>"), "broken", /not as a Matrix homeserver/],
        [answered(403, '{"errcode":"M_FORBIDDEN"}'), "broken", /let it join/],
        [answered(401, '{"errcode":"M_UNKNOWN_TOKEN"}'), "broken", /log in again/],
        [answered(502, ""), "broken", /502/],
        [{ failure: "network", detail: "no one there" } as const, "broken", /no one there/],
      ],
      async ([answer, status, detail]) => {
        const { result, asked } = await probe(answer);
        expect(result?.status).toBe(status);
        expect(result?.detail).toMatch(detail);
        expect(asked).toHaveLength(1);
        expect(asked[0]).toMatchObject({ method: "GET" });
        expect(asked[0]?.url).toMatch(/\/rooms\/!room%2F1%3Aexample\.org\/state\/m\.room\.encryption$/);
        expect(asked[0]?.body).toBeUndefined();
      },
      (row) => JSON.stringify(row),
    ));
});

describe("a question", () => {
  it("of nothing but one sign is shown whole in both forms, or said not to be", () =>
    everyRow(['"', "@", "&", "<", "漢", "😀"], (sign) => {
      const fields = ["folder", "host", "branch"].map((label) => ({ label, value: "x".repeat(100) }));
      const areShown = [100, 1000, 5000, 7000].map((length) => {
        const body = sign.repeat(length / sign.length);
        const card = message({ body, fields });
        const shown = made.toMatrixQuestion(card, "PermissionRequest", "m.text", {
          legend: "✅ Allow",
          replaces: "$1",
        });
        const { body: plain, formatted_body: html } = shown["m.new_content"] ?? shown;
        const isShown = [plain, readHtml(html)].every((form) => form.replaceAll("\u200B", "").includes(body));
        expect(made.renderCard(card).isWhole).toBe(isShown);
        expect(measures.bytes(JSON.stringify(shown))).toBeLessThan(made.maxEventBytes);
        return isShown;
      });
      expect([areShown[0], areShown.at(-1)]).toEqual([true, false]);
    }));
});
