// A browser's side of web push, and what a push service checks: written from the RFCs, apart from the code that sends.
import { createDecipheriv, createECDH, createHmac, createPublicKey, randomBytes, verify } from "node:crypto";

export interface PushedMessage {
  /** The decrypted text. */
  text: string;
  /** Of the VAPID token: https://www.rfc-editor.org/rfc/rfc8292#section-2 */
  claims: { aud: string; exp: number; sub?: string };
  /** The sender's public key, in base64url. */
  sender: string;
}

export interface TestBrowser {
  /** As `PushSubscription.toJSON()` has it. */
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } };
  /** Throws for a message that a push service or a browser would refuse. */
  receive(headers: Readonly<Record<string, string>>, body: Uint8Array): PushedMessage;
  decrypt(body: Uint8Array): string;
}

/** `known`: the keys of a test vector. */
export function testBrowser(endpoint: string, known?: { privateKey: Buffer; auth: Buffer }): TestBrowser {
  const ecdh = createECDH("prime256v1");
  if (known === undefined) ecdh.generateKeys();
  else ecdh.setPrivateKey(known.privateKey);
  const auth = known?.auth ?? randomBytes(16);
  const publicKey = ecdh.getPublicKey();
  const read = (body: Uint8Array): string => decrypt(Buffer.from(body), ecdh, publicKey, auth);
  return {
    decrypt: read,
    subscription: {
      endpoint,
      keys: { p256dh: publicKey.toString("base64url"), auth: auth.toString("base64url") },
    },
    receive(headers, body) {
      if (body.length > 4096) throw new Error(`413: ${body.length} bytes`);
      if (headers["content-encoding"] !== "aes128gcm") throw new Error("415: the content encoding");
      if (!/^\d+$/.test(headers.ttl ?? "")) throw new Error("400: no TTL");
      if (!/^(very-low|low|normal|high)$/.test(headers.urgency ?? "normal")) throw new Error("400: the urgency");
      if (!/^[\w-]{1,32}$/.test(headers.topic ?? "a")) throw new Error("400: the topic");
      const { claims, sender } = readToken(headers.authorization ?? "", endpoint);
      return { text: read(body), claims, sender };
    },
  };
}

function readToken(authorization: string, endpoint: string): Pick<PushedMessage, "claims" | "sender"> {
  const [, token = "", sender = ""] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  const [head = "", claimed = "", signature = ""] = token.split(".");
  const json = (part: string): unknown => JSON.parse(Buffer.from(part, "base64url").toString());
  const point = Buffer.from(sender, "base64url");
  // The DER head of an uncompressed point of P-256.
  const der = Buffer.concat([Buffer.from("3059301306072a8648ce3d020106082a8648ce3d030107034200", "hex"), point]);
  const key = createPublicKey({ key: der, format: "der", type: "spki" });
  const isSigned = verify(
    "sha256",
    Buffer.from(`${head}.${claimed}`),
    { key, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  const { alg } = json(head) as { alg: string };
  const claims = json(claimed) as PushedMessage["claims"];
  if (!isSigned || alg !== "ES256" || claims.aud !== new URL(endpoint).origin) throw new Error("403: the token");
  return { claims, sender };
}

/** HKDF of https://www.rfc-editor.org/rfc/rfc5869 with one block. */
function hkdf(salt: Buffer, material: Buffer, info: Buffer, length: number): Buffer {
  const key = createHmac("sha256", salt).update(material).digest();
  return createHmac("sha256", key)
    .update(Buffer.concat([info, Buffer.from([1])]))
    .digest()
    .subarray(0, length);
}

/** https://www.rfc-editor.org/rfc/rfc8291#section-3.4 and https://www.rfc-editor.org/rfc/rfc8188#section-2 */
function decrypt(body: Buffer, ecdh: ReturnType<typeof createECDH>, own: Buffer, auth: Buffer): string {
  const salt = body.subarray(0, 16);
  const recordSize = body.readUInt32BE(16);
  const keyLength = body.readUInt8(20);
  const sender = body.subarray(21, 21 + keyLength);
  const record = body.subarray(21 + keyLength);
  if (record.length > recordSize) throw new Error("more than one record");
  const material = hkdf(
    auth,
    ecdh.computeSecret(sender),
    Buffer.concat([Buffer.from("WebPush: info\0"), own, sender]),
    32,
  );
  const key = hkdf(salt, material, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const decipher = createDecipheriv(
    "aes-128-gcm",
    key,
    hkdf(salt, material, Buffer.from("Content-Encoding: nonce\0"), 12),
  );
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  const end = padded.findLastIndex((byte) => byte !== 0);
  if (padded[end] !== 2) throw new Error("no delimiter of a last record");
  return padded.subarray(0, end).toString();
}
