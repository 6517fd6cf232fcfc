// Random ids and digests. node:crypto loads on first use: it takes 3 to 10 ms.

const crypto = () => process.getBuiltinModule("node:crypto");

/** 24 random hexadecimal digits. */
export function randomId(): string {
  return crypto().randomBytes(12).toString("hex");
}

export function randomKey(): Uint8Array {
  return crypto().randomBytes(32);
}

/** The digest is in hex. */
export function sha256(text: string | Uint8Array): string {
  return crypto().createHash("sha256").update(text).digest("hex");
}

/** The digest is in base64. */
export function hmacSha256(key: string | Uint8Array, text: string): string {
  return crypto().createHmac("sha256", key).update(text, "utf8").digest("base64");
}

/** Eight digits, for a person to type. */
export function randomCode(): string {
  return String(crypto().randomInt(10_000_000, 100_000_000));
}

/** 128 bits that cannot be guessed, as 22 letters. */
export function randomNonce(): string {
  return crypto().randomBytes(16).toString("base64url");
}

/** Compares secrets or digests in a time that says nothing about where they differ. */
export function isSameDigest(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && crypto().timingSafeEqual(one, other);
}

/** A key pair of the curve P-256: 32 bytes, and an uncompressed point of 65 bytes. */
export interface P256Keys {
  privateKey: Uint8Array;
  publicKey: Uint8Array;
}

export function newP256Keys(): P256Keys {
  const pair = crypto().createECDH("prime256v1");
  const publicKey = pair.generateKeys();
  // Node leaves out the key's leading zeros.
  const privateKey = Buffer.concat([Buffer.alloc(32), pair.getPrivateKey()]).subarray(-32);
  return { privateKey, publicKey };
}

/** The signature (ECDSA with SHA-256) is r and s in base64url, as JSON Web Signatures and WebCrypto write it. */
export function signP256({ privateKey, publicKey }: P256Keys, text: string): string {
  const d = Buffer.from(privateKey).toString("base64url");
  const key = crypto().createPrivateKey({ key: { ...asJwk(publicKey), d }, format: "jwk" });
  return crypto().sign("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" }).toString("base64url");
}

/** False also for what is no key or no signature. */
export function isSignedBy(publicKey: Uint8Array, text: string, signature: string): boolean {
  try {
    const key = crypto().createPublicKey({ key: asJwk(publicKey), format: "jwk" });
    const bytes = Buffer.from(signature, "base64url");
    return crypto().verify("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" }, bytes);
  } catch {
    return false;
  }
}

function asJwk(point: Uint8Array): { kty: "EC"; crv: "P-256"; x: string; y: string } {
  const [x = "", y = ""] = [point.subarray(1, 33), point.subarray(33)].map((half) =>
    Buffer.from(half).toString("base64url"),
  );
  return { kty: "EC", crv: "P-256", x, y };
}

/** What only the holders of the two private keys can compute, 32 bytes. Undefined for what is no public key. */
export function sharedSecret({ privateKey }: P256Keys, otherPublicKey: Uint8Array): Uint8Array | undefined {
  const pair = crypto().createECDH("prime256v1");
  try {
    pair.setPrivateKey(privateKey);
    return pair.computeSecret(otherPublicKey);
  } catch {
    return undefined;
  }
}
