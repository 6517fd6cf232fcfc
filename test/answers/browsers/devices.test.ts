// Which browser may do what on the page: an invitation pairs one browser once, and a revoked one may do nothing.
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  devicesFolder,
  findDevice,
  invitationOf,
  inviteDevice,
  listDevices,
  noteSeen,
  oldKeys,
  pairDevice,
  renewDevice,
  requirePairing,
  revokeDevice,
  type Device,
} from "../../../src/answers/browsers/devices.ts";
import type { Layout } from "../../../src/outbox/layout.ts";
import { sha256 } from "../../../src/system/crypto.ts";
import { temporaryState } from "../../support/project/temporary-state.ts";

const now = Date.UTC(2026, 10, 28, 12);
const tenMinutes = 10 * 60_000;
const all = ["read", "answer", "administer"] as const;

/** The browser proves what it has of a code. */
function proof(code: string, publicKey = "its key") {
  return { publicKey, isProven: (digest: string) => digest === sha256(code) };
}

function pair(layout: Layout, code: string, at = now, name = "browser"): Device | undefined {
  return pairDevice(layout, invitationOf(code), proof(code), name, at);
}

function paired(layout: Layout, name?: string, at = now): Device {
  const device = pair(layout, inviteDevice(layout, { name, rights: [...all] }, at), at);
  if (device === undefined) throw new Error("no browser is paired");
  return device;
}

describe("an invitation", () => {
  it("pairs one browser, once, with the rights and the name that it was made with", () => {
    const layout = temporaryState();
    const code = inviteDevice(layout, { name: "phone", rights: ["read", "answer"] }, now);
    const device = pair(layout, code);
    expect(device).toMatchObject({ name: "phone", rights: ["read", "answer"], pairedAt: now });
    expect(device).not.toHaveProperty("pairAgain");
    expect(findDevice(layout, device?.id ?? "")).toEqual({
      ...device,
      seenAt: expect.any(Number),
      publicKey: "its key",
    });
    expect(pair(layout, code)).toBeUndefined();
    expect(listDevices(layout)).toHaveLength(1);
  });

  it("has the browser's own name where it was given none", () => {
    expect(paired(temporaryState()).name).toBe("browser");
  });

  it("counts for ten minutes, and is used up by a browser that comes too late", () => {
    const layout = temporaryState();
    const [early = "", late = ""] = [1, 2].map(() => inviteDevice(layout, { rights: [...all] }, now));
    expect(pair(layout, late, now + tenMinutes)).toBeUndefined();
    expect(pair(layout, late)).toBeUndefined();
    expect(pair(layout, early, now + tenMinutes - 1)).toBeDefined();
  });

  it("is for the browser that has its code, and stays for that one", () => {
    const layout = temporaryState();
    const code = inviteDevice(layout, { rights: [...all] }, now);
    expect(pairDevice(layout, invitationOf(code), proof("guessed"), "x", now)).toBeUndefined();
    expect(pair(layout, "guessed")).toBeUndefined();
    expect(pair(layout, code)).toBeDefined();
  });

  it("is removed by the next one when it has expired, and not before", () => {
    const layout = temporaryState();
    const invitations = () => readdirSync(devicesFolder(layout)).filter((name) => name.endsWith(".invitation"));
    const device = paired(layout);
    inviteDevice(layout, { rights: [...all] }, now);
    inviteDevice(layout, { rights: [...all] }, now + tenMinutes - 1);
    expect(invitations()).toHaveLength(2);
    inviteDevice(layout, { rights: [...all] }, now + tenMinutes);
    expect(invitations()).toHaveLength(2);
    expect(listDevices(layout).map(({ id }) => id)).toEqual([device.id]);
  });

  it("pairs no more than a hundred browsers", () => {
    const layout = temporaryState();
    const first = paired(layout);
    for (let nth = 1; nth < 100; nth += 1) paired(layout);
    expect(pair(layout, inviteDevice(layout, { rights: [...all] }, now))).toBeUndefined();
    expect(revokeDevice(layout, first)).toBe(true);
    expect(pair(layout, inviteDevice(layout, { rights: [...all] }, now))).toBeDefined();
  });
});

describe("a device", () => {
  it("is found no more once it is revoked, and nor is what else was kept of it", () => {
    const layout = temporaryState();
    const [one, other] = [paired(layout, "one"), paired(layout, "other")];
    writeFileSync(join(devicesFolder(layout), `${one.id}.push`), "{}");
    expect(revokeDevice(layout, one)).toBe(true);
    expect(findDevice(layout, one.id)).toBeUndefined();
    expect(readdirSync(devicesFolder(layout))).toEqual([`${other.id}.json`]);
    expect(revokeDevice(layout, one)).toBe(false);
    noteSeen(layout, one, now);
    expect(listDevices(layout).map(({ name }) => name)).toEqual(["other"]);
  });

  it("may only read until it is paired again, also where the file that says so is damaged", () => {
    const layout = temporaryState();
    const device = paired(layout);
    requirePairing(layout, device, "otherServer", now);
    expect(findDevice(layout, device.id)).toMatchObject({ rights: ["read"], pairAgain: "otherServer" });
    // The first reason stays.
    requirePairing(layout, device, "foreignWorker", now);
    expect(findDevice(layout, device.id)).toMatchObject({ pairAgain: "otherServer" });
    writeFileSync(join(devicesFolder(layout), `${device.id}.again`), "torn");
    expect(findDevice(layout, device.id)).toMatchObject({ rights: ["read"], pairAgain: "noTicket" });
  });

  it("is no file outside of the folder, nor one that names another device", () => {
    const layout = temporaryState();
    const device = paired(layout);
    for (const id of ["", "../senders", `${device.id}0`, `x${device.id}`, "../devices/" + device.id]) {
      expect(findDevice(layout, id)).toBeUndefined();
    }
    const stored = { ...device, publicKey: "its key" };
    writeFileSync(join(devicesFolder(layout), "0badc0de.json"), JSON.stringify(stored));
    expect(findDevice(layout, "0badc0de")).toBeUndefined();
  });

  it("was seen last when its file was touched, and those paired first come first", () => {
    const layout = temporaryState();
    const later = paired(layout, "later", now + 1000);
    const first = paired(layout, "first", now);
    noteSeen(layout, later, now + 60_000);
    expect(listDevices(layout).map(({ name }) => name)).toEqual(["first", "later"]);
    expect(findDevice(layout, later.id)?.seenAt).toBe(now + 60_000);
    expect(first.id).not.toBe(later.id);
  });
});

describe("a device of the first release candidate", () => {
  const old = { id: "0123abcd", name: "phone", rights: ["read", "answer"], pairedAt: now, key: sha256("old key") };

  it("is renewed once, by the browser that has its key, and may do nothing before", () => {
    const layout = temporaryState();
    paired(layout);
    writeFileSync(join(devicesFolder(layout), `${old.id}.json`), JSON.stringify(old));
    expect(oldKeys(layout)).toEqual([old.key]);
    expect(findDevice(layout, old.id)).toBeUndefined();
    expect(renewDevice(layout, proof("guessed", "new"))).toBeUndefined();
    expect(renewDevice(layout, proof("old key", "new"))).toMatchObject({ id: old.id, rights: old.rights });
    expect(findDevice(layout, old.id)).toMatchObject({ publicKey: "new", rights: old.rights });
    expect(oldKeys(layout)).toEqual([]);
    expect(renewDevice(layout, proof("old key", "newer"))).toBeUndefined();
  });
});
