// Encrypts a push message for one browser, so that the push service reads nothing. https://www.rfc-editor.org/rfc/rfc8291
import { createCipheriv, createECDH, hkdfSync } from "node:crypto";
import type { P256Keys } from "../../../system/crypto.ts";
import type { Subscription } from "./subscriptions.ts";

/** Push services take at least so much: https://www.rfc-editor.org/rfc/rfc8030#section-7.2 */
export const maxBodyBytes = 4096;
/** Salt, record size, length of the key, and the key: https://www.rfc-editor.org/rfc/rfc8188#section-2.1 */
const headBytes = 16 + 4 + 1 + 65;
const delimiter = 2;
const tagBytes = 16;
export const maxPlainBytes = maxBodyBytes - headBytes - 1 - tagBytes;

/** These values are new for each message. */
export interface MessageSecrets {
  /** 16 bytes. */
  salt: Uint8Array;
  keys: P256Keys;
}

/** The request's body, in the content encoding `aes128gcm`: one record. */
export function encrypt(text: string, { p256dh, auth }: Subscription["keys"], { salt, keys }: MessageSecrets): Buffer {
  const receiver = Buffer.from(p256dh, "base64url");
  const ecdh = createECDH("prime256v1");
  ecdh.setPrivateKey(keys.privateKey);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), receiver, keys.publicKey]);
  const material = derive(ecdh.computeSecret(receiver), Buffer.from(auth, "base64url"), info, 32);
  const contentKey = derive(material, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = derive(material, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
  const cipher = createCipheriv("aes-128-gcm", contentKey, nonce);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(maxBodyBytes);
  head.writeUInt8(keys.publicKey.length, 4);
  return Buffer.concat([
    salt,
    head,
    keys.publicKey,
    cipher.update(Buffer.concat([Buffer.from(text), Buffer.from([delimiter])])),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
}

function derive(key: Uint8Array, salt: Uint8Array, info: Uint8Array, length: number): Buffer {
  return Buffer.from(hkdfSync("sha256", key, salt, info, length));
}
