// What doctor asks of each service, against a receiver on loopback: never a message, and what the answers mean.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ProbeResult } from "../../src/channels/channel-type.ts";
import { channelTypes } from "../support/channels/all-types.ts";
import { resolveSecrets } from "../../src/system/secrets.ts";
import { createSendHttp } from "../../src/system/network/send.ts";
import { localTools } from "../support/channels/channel-request.ts";
import { startHttpReceiver, type HttpReceiver } from "../support/receivers/http-receiver.ts";

let folder = "";
let receiver: HttpReceiver;
beforeAll(async () => {
  receiver = await startHttpReceiver();
});
afterAll(() => receiver.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hookbell-probes-"));
  receiver.requests.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function probe(type: string, written: object, env: Record<string, string> = {}): Promise<ProbeResult> {
  const channelType = channelTypes.find((each) => each.type === type);
  if (channelType?.probe === undefined) throw new Error(`${type} has no probe`);
  const settings = await resolveSecrets(channelType.settings.parse(written), env, folder);
  return await channelType.probe(
    settings as never,
    localTools({ HOME: folder, ...env }, folder, { http: createSendHttp(env), platform: process.platform }),
  );
}

it("leaves a webhook through Nabu Casa alone", async () => {
  expect(await probe("home-assistant", { url: `${receiver.origin}/hook/abc` })).toMatchObject({ status: "ok" });
  expect(receiver.requests).toEqual([]);
});

describe("the probe of command", () => {
  const script = (mode: number): string => {
    const path = join(folder, process.platform === "win32" ? "notify.cmd" : "notify");
    writeFileSync(path, "#!/bin/sh\n");
    chmodSync(path, mode);
    return path;
  };
  const told = (program: string, env: Record<string, string> = {}) => probe("command", { argv: [program, "x"] }, env);

  it("finds a program on PATH, by its path, and below the home folder, without running it", async () => {
    const path = script(0o755);
    expect(await told("notify", { PATH: folder })).toEqual({ status: "ok", detail: `runs ${path}` });
    expect(await told(path)).toEqual({ status: "ok", detail: `runs ${path}` });
    expect(await told("~/notify")).toEqual({ status: "ok", detail: "runs ~/notify" });
  });

  it("says what is missing", async () => {
    expect(await told("notify", { PATH: folder })).toMatchObject({
      status: "broken",
      detail: "the program notify is not on PATH",
    });
    expect(await told(join(folder, "none"))).toMatchObject({ status: "broken", fix: 'install it or correct "argv"' });
    expect(await told(folder)).toMatchObject({ status: "broken" });
  });

  it("says what may not be run (posix)", async () => {
    const path = script(0o644);
    expect(await told(path)).toEqual({
      status: "broken",
      detail: `${path} is not executable`,
      fix: `run chmod +x ${path}`,
    });
  });
});

const noticed = channelTypes.filter(({ noticing }) => noticing !== undefined);

it("is not sure of what no one but the person can see or hear", () => {
  const types = noticed.map(({ type }) => type);
  expect(types).toEqual(expect.arrayContaining(["desktop", "sound", "teams", "ntfy", "home-assistant", "email"]));
});

it.each(noticed.map(({ type, noticing }) => [type, noticing] as const))(
  "says where to look when %s is not noticed",
  (_, noticing) => {
    expect(noticing?.otherwise.length).toBeGreaterThan(0);
    for (const each of noticing?.otherwise ?? []) expect(each).toMatch(/^[a-z].*[^.]$/);
  },
);
