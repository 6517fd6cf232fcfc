// Five questions within seconds ring once, and are one message, through every channel type that can replace a message.
import { describe, expect, it } from "vitest";
import { listIncoming } from "../../../src/outbox/incoming.ts";
import { listDeliveries } from "../../../src/outbox/deliveries/deliveries.ts";
import type { HttpRequest } from "../../../src/system/network/http.ts";
import type { Body } from "../../support/channels/channel-sample.ts";
import { httpTypes } from "../../support/channels/channel-samples.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";

/** Which of its messages a request makes or changes, as far as it says so, and whether a person hears it. */
interface Sent {
  id: unknown;
  isLoud: boolean;
}

const made = "made";
const vendors: Readonly<Record<string, (body: Body, request: HttpRequest) => Sent>> = {
  // https://docs.slack.dev/reference/methods/chat.update, and below the others' pages on edits: none of them notifies.
  slack: ({ ts }, { url }) => (url.endsWith("/chat.update") ? { id: ts, isLoud: false } : { id: made, isLoud: true }),
  discord: ({ flags = 0 }, { method, url }) =>
    method === "PATCH"
      ? { id: url.split("/").at(-1), isLoud: false }
      : { id: made, isLoud: (Number(flags) & 4096) === 0 },
  telegram: ({ message_id: id, disable_notification: isSilent }, { url }) =>
    url.endsWith("/editMessageText") ? { id, isLoud: false } : { id: made, isLoud: isSilent !== true },
  matrix: ({ "m.relates_to": related }) => {
    const { event_id: id } = (related ?? {}) as { event_id?: string };
    return id === undefined ? { id: made, isLoud: true } : { id, isLoud: false };
  },
  ntfy: ({ sequence_id: id, priority }) => ({ id, isLoud: Number(priority) > 2 }),
  bark: ({ id, level }) => ({ id, isLoud: level !== "passive" }),
  "home-assistant-app": ({ data }) => {
    const { tag, push } = data as { tag: string; push: Record<string, string> };
    return { id: tag, isLoud: push["interruption-level"] !== "passive" };
  },
};

const listing = httpTypes.flatMap(({ type, channel, sample }) => {
  const ways = [sample, ...Object.values(sample.otherWays ?? {})];
  const parsed = ways.map((way) => ({ way, settings: channel.settings.parse(way.settings("https://vendor.example")) }));
  const found = parsed.findLast(({ settings }) => channel.showsList?.(settings) !== undefined);
  return found === undefined ? [] : [{ type, sample, way: found.way }];
});

it("every type that shows a list is here", () => {
  expect(listing.map(({ type }) => type).toSorted()).toEqual(Object.keys(vendors).toSorted());
});

describe.each(listing)("five questions of five sessions through $type", ({ type, sample, way }) => {
  it("are one message that rang once", async () => {
    const running = prepareDispatcher();
    const { layout } = running.dispatcher;
    const requests: HttpRequest[] = [];
    running.dispatcher.tools.http = (request) => {
      const isMessage = request.body?.startsWith("{") === true;
      // Matrix is asked whether the room is encrypted, and whether the earlier message is still there.
      const isThere = request.url.includes("/event/");
      const body = isThere ? '{"content":{"body":"earlier"}}' : '{"errcode":"M_NOT_FOUND"}';
      if (!isMessage) return Promise.resolve({ status: isThere ? 200 : 404, headers: {}, body });
      requests.push(request);
      // ntfy's server repeats the sequence.
      const { sequence_id } = JSON.parse(request.body ?? "{}") as Body;
      const answer = sequence_id === undefined ? way.okBody : JSON.stringify({ id: "x", sequence_id });
      return Promise.resolve({ status: 200, headers: {}, body: answer });
    };
    running.writeRules({
      channels: { it: { type, ...way.settings("https://vendor.example"), content: "full" } },
      rules: [{ name: "asks", when: { event: "Notification" }, notify: ["it"] }],
    });
    void running.run();
    const sessions = ["a", "b", "c", "d", "e"];
    for (const [index, session] of sessions.entries()) {
      running.accept("Notification", {
        session_id: session,
        cwd: `/srv/${session}`,
        notification_type: "permission_prompt",
        message: `may ${session} go?`,
      });
      await running.until(
        `${session} on record`,
        () => running.journal("event").length === index + 1 && listIncoming(layout).length === 0,
      );
      if (index === 0) await running.until("the first message", () => requests.length === 1);
    }
    // A vendor's rate spreads what follows over some seconds.
    await running.until("all of them sent", () => {
      if (listDeliveries(layout, "outbox").length === 0) return true;
      running.clock.turn(1000);
      return false;
    });

    const bodies = requests.map(({ body = "" }) => JSON.parse(body) as Body);
    const sent = requests.map((request, index) => vendors[type]?.(bodies[index] ?? {}, request));
    expect(sent.map((each) => each?.isLoud)).toEqual(sent.map((_, index) => index === 0));
    expect(sent.length).toBeGreaterThan(1);
    const changed = new Set(sent.slice(sent[0]?.id === made ? 1 : 0).map((each) => each?.id));
    expect(changed.size, JSON.stringify([...changed])).toBe(1);
    expect(changed).not.toContain(made);
    const text = sample
      .forms(bodies.at(-1) ?? {})
      .map((form) => form.text)
      .join("\n");
    expect(text).toContain("5 sessions wait for you");
    for (const session of sessions) expect(text).toContain(`may ${session} go?`);
  });
});
