// The browser's own cryptography, with keys and results as the server writes them.

const ecdsa = { name: "ECDSA", namedCurve: "P-256" };
const ecdh = { name: "ECDH", namedCurve: "P-256" };
const signing = { name: "ECDSA", hash: "SHA-256" };

export const canEncrypt = isSecureContext && "subtle" in crypto;

/** The private half can sign here, and no script can read it. */
export function newSigningKeys(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(ecdsa, false, ["sign", "verify"]);
}

export function newExchangeKeys(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(ecdh, false, ["deriveBits"]);
}

/** In base64url. */
export async function publicKeyOf({ publicKey }: CryptoKeyPair): Promise<string> {
  return inBase64Url(await crypto.subtle.exportKey("raw", publicKey));
}

export function randomText(): string {
  return inBase64Url(crypto.getRandomValues(new Uint8Array(16)).buffer);
}

/** In base64url. */
export async function sign({ privateKey }: CryptoKeyPair, text: string): Promise<string> {
  return inBase64Url(await crypto.subtle.sign(signing, privateKey, bytesOf(text)));
}

/** False also for what is no key or no signature. */
export async function isSignedBy(publicKey: string, text: string, signature: string): Promise<boolean> {
  try {
    const key = await crypto.subtle.importKey("raw", fromBase64Url(publicKey), ecdsa, false, ["verify"]);
    return await crypto.subtle.verify(signing, key, fromBase64Url(signature), bytesOf(text));
  } catch {
    return false;
  }
}

/** What only the holders of both private keys can compute. */
export async function sharedSecret({ privateKey }: CryptoKeyPair, otherPublicKey: string): Promise<ArrayBuffer> {
  const other = await crypto.subtle.importKey("raw", fromBase64Url(otherPublicKey), ecdh, false, []);
  return await crypto.subtle.deriveBits({ name: "ECDH", public: other }, privateKey, 256);
}

export function macKey(key: string | ArrayBuffer): Promise<CryptoKey> {
  const bytes = typeof key === "string" ? bytesOf(key) : key;
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
}

/** In base64. */
export async function mac(key: CryptoKey, text: string): Promise<string> {
  return inBase64(await crypto.subtle.sign("HMAC", key, bytesOf(text)));
}

export async function macWith(key: string | ArrayBuffer, text: string): Promise<string> {
  return await mac(await macKey(key), text);
}

/** In hex. */
export async function sha256(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytesOf(text)));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function inBase64(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)));
}

function inBase64Url(bytes: ArrayBuffer): string {
  return inBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}
