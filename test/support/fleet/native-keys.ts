// Signs with Node's own Ed25519 in this process: the one in JavaScript of the broker's client library takes a hundred times as
// long for the same signatures. The programs that tests start keep theirs.
import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from "node:crypto";
import { createRequire } from "node:module";

interface Signing {
  detached: {
    (message: Uint8Array, secretKey: Uint8Array): Uint8Array;
    verify(message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean;
  };
  keyPair: { fromSeed(seed: Uint8Array): { publicKey: Uint8Array; secretKey: Uint8Array } };
}

/** What comes before the bytes of a key: https://www.rfc-editor.org/rfc/rfc8410#section-10 */
const privateHead = Buffer.from("302e020100300506032b657004220420", "hex");
const publicHead = Buffer.from("302a300506032b6570032100", "hex");
const seedBytes = 32;

const privateKeys = new Map<string, KeyObject>();

/** The library makes a key anew from its seed for each thing that it does with it. */
function privateKeyOf(seed: Uint8Array): KeyObject {
  const der = Buffer.concat([privateHead, seed]);
  const name = der.toString("hex");
  const key = privateKeys.get(name) ?? createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  privateKeys.set(name, key);
  return key;
}

const native: Signing = {
  detached: Object.assign(
    (message: Uint8Array, secretKey: Uint8Array) =>
      new Uint8Array(sign(null, message, privateKeyOf(secretKey.subarray(0, seedBytes)))),
    {
      verify: (message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array) => {
        const key = Buffer.concat([publicHead, publicKey]);
        return verify(null, message, createPublicKey({ key, format: "der", type: "spki" }), signature);
      },
    },
  ),
  keyPair: {
    fromSeed(seed) {
      const spki = createPublicKey(privateKeyOf(seed)).export({ format: "der", type: "spki" });
      const publicKey = new Uint8Array(spki.subarray(publicHead.length));
      return { publicKey, secretKey: new Uint8Array([...seed, ...publicKey]) };
    },
  },
};

const path = ["@nats-io/jwt", "@nats-io/nkeys", "tweetnacl"].reduce(
  (from, name) => createRequire(from).resolve(name),
  import.meta.url,
);
const { sign: library } = createRequire(import.meta.url)(path) as { sign: Signing };
library.detached = native.detached;
library.keyPair.fromSeed = native.keyPair.fromSeed;
