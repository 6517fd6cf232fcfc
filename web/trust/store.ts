// What this browser keeps of its pairing, in a database of the page's origin.
import type { Noticed } from "../../src/wings/page/trust/contract.ts";

export interface Pairing {
  /** The id by which the server knows this browser. */
  device: string;
  keys: CryptoKeyPair;
  /** The server's public key. */
  server: string;
}

export function readPairing(): Promise<Pairing | undefined> {
  return inStore<Pairing | undefined>("readonly", (store) => store.get("pairing"));
}

/** What was noticed before is over. */
export async function storePairing(pairing: Pairing): Promise<void> {
  await inStore("readwrite", (store) => {
    store.delete("noticed");
    return store.put(pairing, "pairing");
  });
}

export async function readNoticed(): Promise<Noticed[]> {
  return (await inStore<Noticed[] | undefined>("readonly", (store) => store.get("noticed"))) ?? [];
}

/** The server hears of it with the next session. */
export async function note(noticed: Noticed): Promise<void> {
  const known = await readNoticed();
  if (!known.includes(noticed)) await inStore("readwrite", (store) => store.put([...known, noticed], "noticed"));
}

async function inStore<Value>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest): Promise<Value> {
  const opening = indexedDB.open("hookbell", 1);
  opening.addEventListener("upgradeneeded", () => opening.result.createObjectStore("page"));
  const database = (await ended(opening)) as IDBDatabase;
  try {
    return (await ended(
      work(database.transaction("page", mode, { durability: "strict" }).objectStore("page")),
    )) as Value;
  } finally {
    // It closes when its transactions have ended.
    database.close();
  }
}

function ended(request: IDBRequest): Promise<unknown> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new Error("the browser's database failed")));
  });
}
