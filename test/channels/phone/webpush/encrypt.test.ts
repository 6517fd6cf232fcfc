// The encryption of web push, against the example of RFC 8291 and by a receiver of its own.
import { expect, it } from "vitest";
import { encrypt, maxBodyBytes, maxPlainBytes } from "../../../../src/channels/phone/webpush/encrypt.ts";
import { newP256Keys, randomKey } from "../../../../src/system/crypto.ts";
import { testBrowser } from "../../../support/receivers/push-service.ts";

const bytes = (text: string): Buffer => Buffer.from(text, "base64url");
const endpoint = "https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV";

/** https://www.rfc-editor.org/rfc/rfc8291#appendix-A */
const vector = {
  text: "When I grow up, I want to be a watermelon",
  keys: {
    privateKey: bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"),
    publicKey: bytes("BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"),
  },
  receiver: {
    privateKey: bytes("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"),
    publicKey: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  },
  auth: "BTBZMqHH6r4Tts7J_aSIgg",
  salt: bytes("DGv6ra1nlYgDCS1FRnbzlw"),
  body: "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
};

it("gives the bytes of the RFC's example", () => {
  const browser = testBrowser(endpoint, { privateKey: vector.receiver.privateKey, auth: bytes(vector.auth) });
  // The test's own receiver has the keys of the example, too.
  expect(browser.subscription.keys).toEqual({ p256dh: vector.receiver.publicKey, auth: vector.auth });
  const made = encrypt(vector.text, browser.subscription.keys, { salt: vector.salt, keys: vector.keys });
  expect(made.toString("base64url")).toBe(vector.body);
});

it("fills the body with the longest text, which only the browser reads", () => {
  const browser = testBrowser(endpoint);
  const text = "x".repeat(maxPlainBytes);
  const made = encrypt(text, browser.subscription.keys, { salt: randomKey().subarray(0, 16), keys: newP256Keys() });
  expect(made).toHaveLength(maxBodyBytes);
  expect(browser.decrypt(made)).toBe(text);
  expect(() => testBrowser(endpoint).decrypt(made)).toThrow("authenticate");
});
