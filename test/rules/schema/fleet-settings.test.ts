import { describe, expect, it } from "vitest";
import { fleetSettings } from "../../../src/wing-settings/fleet.ts";

const good = { servers: ["tls://nats.example.com:4222"], org: "acme", person: "ada" };
const isGood = (part: object): boolean => fleetSettings.safeParse({ ...good, ...part }).success;

describe("the settings of a fleet", () => {
  it("take servers with TLS, and others on this machine only", () => {
    const taken = ["tls://[2001:db8::1]:4222", "nats://localhost:4222", "nats://127.0.0.1:4222", "nats://[::1]:4222"];
    expect(taken.filter((server) => !isGood({ servers: [server] }))).toEqual([]);
    const refused = ["nats://nats.example.com:4222", "nats://127.evil.example:1", "nats.example.com", "https://x", ""];
    expect(refused.filter((server) => isGood({ servers: [server] }))).toEqual([]);
    expect(isGood({ servers: [] })).toBe(false);
  });

  it("take credentials from where other secrets come from, and names that are one part of a subject", () => {
    expect(isGood({ credentials: { file: "~/.config/hookbell/fleet.creds" }, host: "laptop" })).toBe(true);
    expect(isGood({ credentials: { file: "fleet.creds" } })).toBe(false);
    expect([{ org: "a.b" }, { person: ">" }, { host: "*" }].map(isGood)).toEqual([false, false, false]);
  });
});
