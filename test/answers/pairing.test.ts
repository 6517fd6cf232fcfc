// Which account is given a code, and which code pairs an account.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listenersFolder } from "../../src/answers/listener-state.ts";
import { accountOf, closePairing, pairByReply, openPairing } from "../../src/answers/pairing.ts";
import { addSender, removeSenders, sendersOf } from "../../src/answers/senders.ts";
import type { ReceivedReply } from "../../src/model/answer.ts";
import { temporaryState } from "../support/project/temporary-state.ts";
import { deadPid } from "../support/project/forged-lease.ts";

const now = Date.UTC(2026, 10, 28, 12);
const tenMinutes = 10 * 60_000;
const ann = { id: "1001", name: "Ann" };
const eve = { id: "6666", name: "Eve" };

function opened(nonce?: string) {
  const layout = temporaryState();
  const listener = join(listenersFolder(layout), "telegram");
  expect(openPairing(layout, listener, nonce, now)).toBe(true);
  const hear = (heard: ReceivedReply, isPaired = false, at = now) => pairByReply(listener, heard, () => isPaired, at);
  const codeFor = (heard: ReceivedReply, at = now): string => /: (\S+)$/.exec(hear(heard, false, at) ?? "")?.[1] ?? "";
  return { layout, listener, hear, codeFor };
}

describe("a pairing by a message to the bot", () => {
  it("gives each account a code of its own, the same each time, and the code names the account", () => {
    const { listener, codeFor } = opened();
    const code = codeFor({ sender: ann });
    expect(code).toMatch(/^\w+$/);
    expect(codeFor({ sender: ann, reply: { text: "hello", to: {} } })).toBe(code);
    const others = codeFor({ sender: eve });
    expect(others).not.toBe(code);
    expect(accountOf(listener, code, now)).toEqual(ann);
    expect(accountOf(listener, others, now)).toEqual(eve);
    expect(accountOf(listener, "", now)).toBeUndefined();
    expect(accountOf(listener, `${code}0`, now)).toBeUndefined();
  });

  it("says nothing to no one, to a press, or to a paired account's answer", () => {
    const { hear } = opened();
    const answer = { sender: ann, reply: { text: "no", to: { message: "5" } } };
    expect(hear({})).toBeUndefined();
    expect(hear({ sender: ann, nonce: "n" })).toBeUndefined();
    expect(hear({ sender: ann, pressed: { choice: "deny", to: { message: "5" } } })).toBeUndefined();
    expect(hear(answer, true)).toBeUndefined();
    expect(hear(answer, false)).toMatch(/^Type this code in your terminal: /);
    expect(hear({ sender: ann, reply: { text: "hello", to: {} } }, true)).toMatch(/^Type this code/);
  });

  it("ends after ten minutes, and with the command that waits for it", () => {
    const { layout, listener, codeFor, hear } = opened();
    const code = codeFor({ sender: ann });
    expect(accountOf(listener, code, now + tenMinutes - 1)).toEqual(ann);
    expect(accountOf(listener, code, now + tenMinutes)).toBeUndefined();
    expect(hear({ sender: eve }, false, now + tenMinutes)).toBeUndefined();
    expect(openPairing(layout, listener, undefined, now)).toBe(false);
    expect(openPairing(layout, listener, undefined, now + tenMinutes)).toBe(true);
    closePairing(listener);
    expect(hear({ sender: ann })).toBeUndefined();
    const left = { pid: deadPid, expiresAt: now + tenMinutes, codes: [{ code, ...ann }] };
    writeFileSync(`${listener}.pairing`, JSON.stringify(left));
    expect(accountOf(listener, code, now)).toBeUndefined();
    expect(openPairing(layout, listener, undefined, now)).toBe(true);
  });

  it("gives no more than a hundred codes", () => {
    const { listener, hear, codeFor } = opened();
    const codes = Array.from({ length: 100 }, (_, nth) => ({ code: `c${nth}`, id: `${nth}`, name: "x" }));
    const full = { pid: process.pid, expiresAt: now + tenMinutes, codes };
    writeFileSync(`${listener}.pairing`, JSON.stringify(full));
    expect(hear({ sender: ann })).toBeUndefined();
    expect(codeFor({ sender: { id: "5", name: "x" } })).toBe("c5");
    writeFileSync(`${listener}.pairing`, JSON.stringify({ ...full, codes: codes.slice(1) }));
    expect(codeFor({ sender: ann })).not.toBe("");
  });
});

it("a pairing by a button gives a code only to who presses that button", () => {
  const { hear, codeFor } = opened("the button's nonce");
  expect(hear({ sender: ann })).toBeUndefined();
  expect(hear({ sender: ann, reply: { text: "hello", to: {} } })).toBeUndefined();
  expect(hear({ sender: ann, nonce: "another" })).toBeUndefined();
  expect(hear({ nonce: "the button's nonce" })).toBeUndefined();
  expect(codeFor({ sender: ann, nonce: "the button's nonce" })).not.toBe("");
});

it("an account may answer through the channel and the service that it was paired for, until that is undone", () => {
  const layout = temporaryState();
  const idsOf = (channel: string, type: string) => sendersOf(layout, channel, type).map(({ id }) => id);
  const sender = { type: "telegram", ...ann, pairedAt: now };
  expect(idsOf("phone", "telegram")).toEqual([]);
  addSender(layout, "phone", sender);
  addSender(layout, "phone", { ...sender, ...eve });
  addSender(layout, "phone", { ...sender, name: "Ann again" });
  addSender(layout, "team", sender);
  expect(idsOf("phone", "telegram")).toEqual([eve.id, ann.id]);
  expect(sendersOf(layout, "phone", "telegram").at(-1)?.name).toBe("Ann again");
  expect(idsOf("phone", "slack")).toEqual([]);
  expect(idsOf("toString", "telegram")).toEqual([]);
  expect(removeSenders(layout, "desk")).toBe(false);
  expect(removeSenders(layout, "phone")).toBe(true);
  expect(removeSenders(layout, "phone")).toBe(false);
  expect([idsOf("phone", "telegram"), idsOf("team", "telegram")]).toEqual([[], [ann.id]]);
  writeFileSync(join(layout.root, "senders.json"), "torn");
  expect(idsOf("team", "telegram")).toEqual([]);
});
