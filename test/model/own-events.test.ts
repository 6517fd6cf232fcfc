import { expect, it } from "vitest";
import { isVerification, verificationSession } from "../../src/model/own-events.ts";
import { randomId } from "../../src/system/crypto.ts";

it("knows the sessions that it names, but for those whose people are to be told", () => {
  expect(isVerification(verificationSession(randomId(), false))).toBe(true);
  expect(isVerification(verificationSession(randomId(), true))).toBe(false);
});

it.each(["", "s1", "hookbell-verify-", "hookbell-verify-1", `x hookbell-verify-${"a".repeat(24)}`])(
  "takes the session %j for anybody's",
  (session) => {
    expect(isVerification(session)).toBe(false);
  },
);
