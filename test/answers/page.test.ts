// What the server of the page leaves for hooks: whether a person can answer there, and its key.
import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import {
  inviteDevice,
  invitationOf,
  pairDevice,
  requirePairing,
  revokeDevice,
  type Right,
} from "../../src/answers/browsers/devices.ts";
import { canAnswerOnPage, notePage, removePageNote } from "../../src/answers/browsers/open-page.ts";
import { fingerprintOf, pageKey, pageKeyPath } from "../../src/answers/browsers/page-key.ts";
import type { Layout } from "../../src/outbox/layout.ts";
import { temporaryState } from "../support/project/temporary-state.ts";

const now = Date.UTC(2026, 10, 28, 12);

function paired(layout: Layout, rights: Right[]) {
  const code = inviteDevice(layout, { name: "phone", rights }, now);
  const device = pairDevice(layout, invitationOf(code), { publicKey: "k", isProven: () => true }, "phone", now);
  if (device === undefined) throw new Error("it was not paired");
  return device;
}

it("a person can answer on the page while its server runs and a browser may answer, and not otherwise", () => {
  const layout = temporaryState();
  const answering = paired(layout, ["read", "answer"]);
  expect(canAnswerOnPage(layout)).toBe(false);
  notePage(layout, "http://127.0.0.1:8765");
  expect(canAnswerOnPage(layout)).toBe(true);
  paired(layout, ["read"]);
  expect(canAnswerOnPage(layout)).toBe(true);
  requirePairing(layout, answering, "foreignWorker", now);
  expect(canAnswerOnPage(layout)).toBe(false);
  revokeDevice(layout, answering);
  expect(canAnswerOnPage(layout)).toBe(false);
  paired(layout, ["answer"]);
  expect(canAnswerOnPage(layout)).toBe(true);
  removePageNote(layout);
  expect(canAnswerOnPage(layout)).toBe(false);
});

it("the page's key is made once and kept, and a damaged one is not made anew", () => {
  const layout = temporaryState();
  const key = pageKey(layout, now);
  const again = pageKey(layout, now);
  expect(Buffer.from(key?.publicKey ?? "", "base64url")).toHaveLength(65);
  expect(again?.publicKey).toBe(key?.publicKey);
  expect(again?.ticketSecret("t")).toBe(key?.ticketSecret("t"));
  expect(key?.ticketSecret("t")).not.toBe(key?.ticketSecret("u"));
  expect(key?.sign("text")).not.toBe("");
  expect(fingerprintOf(key?.publicKey ?? "")).toMatch(/^[0-9a-f]{32}$/);
  writeFileSync(pageKeyPath(layout), "torn");
  expect(pageKey(layout, now)).toBeUndefined();
  expect(readFileSync(pageKeyPath(layout), "utf8")).toBe("torn");
});
