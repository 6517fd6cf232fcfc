import { describe, expect, it } from "vitest";
import { maxDetailLength, withoutSecrets } from "../../../src/model/privacy/redact.ts";
import { delivered, failed } from "../../../src/model/outcome.ts";
import { Secret } from "../../../src/model/privacy/secret.ts";

const settings = { token: new Secret("s3cr3t-t0ken") };

describe("what is said about an attempt", () => {
  it.each([
    ["bad s3cr3t-t0ken", "bad [secret]"],
    // Without what cannot be printed, a secret may be whole again.
    ["bad s3cr3t-\u0000t0ken", "bad [secret]"],
    ["two\nlines", "two lines"],
  ])("is one line without secrets: %j", (detail, expected) => {
    expect(withoutSecrets(failed("rejected", detail, 5), settings)).toEqual(failed("rejected", expected, 5));
    expect(withoutSecrets(delivered({ detail, remember: { a: "b" } }), settings)).toEqual(
      delivered({ detail: expected, remember: { a: "b" } }),
    );
  });

  it("is cut behind the secret, not in it", () => {
    const { detail } = withoutSecrets(failed("rejected", `${"x".repeat(maxDetailLength - 5)} s3cr3t-t0ken`), settings);
    expect(detail.length).toBe(maxDetailLength);
    expect(detail).not.toContain("s3c");
  });

  it("stays nothing where nothing was said", () => {
    expect(withoutSecrets(delivered(), settings)).toEqual(delivered());
  });
});
