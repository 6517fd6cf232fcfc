// What doctor asks of each service, against a receiver on loopback: never a message, and what the answers mean.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ProbeResult } from "../../src/channels/channel-type.ts";
import { channelTypes } from "../../src/channels/all.ts";
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
    localTools({ HOME: folder, ...env }, folder, { http: createSendHttp(env) }),
  );
}

interface Row {
  settings: (origin: string) => object;
  asks: { method: string; path: string };
  /** Answers, and what they mean. */
  answers: readonly (readonly [status: number, body: string, result: "ok" | "broken", detail: RegExp])[];
}

const rows: Record<string, Row> = {
  ntfy: {
    settings: (server) => ({ topic: "agents", server }),
    asks: { method: "GET", path: "/v1/health" },
    answers: [
      [200, '{"healthy":true}', "ok", /the server is well/],
      [200, '{"healthy":false}', "broken", /not as ntfy does/],
      [200, "<html>Sign in</html>", "broken", /not as ntfy does/],
      [404, "not found", "broken", /not as ntfy does/],
    ],
  },
  "ntfy with a token": {
    settings: (server) => ({ topic: "agents", server: `${server}/below/`, token: "tk_s3cret" }),
    asks: { method: "GET", path: "/below/v1/account" },
    answers: [
      [200, '{"username":"phil","role":"user"}', "ok", /takes the token/],
      [401, '{"code":40101,"http":401,"error":"unauthorized"}', "broken", /does not know the token/],
    ],
  },
  gotify: {
    settings: (server) => ({ server, token: "A.s3cret" }),
    asks: { method: "POST", path: "/message" },
    answers: [
      [
        400,
        '{"error":"Bad Request","errorCode":400,"errorDescription":"json: cannot unmarshal"}',
        "ok",
        /takes the token/,
      ],
      [401, '{"error":"Unauthorized","errorCode":401}', "broken", /set the token of an application/],
      [404, "", "broken", /no Gotify/],
      [400, "<html>", "broken", /answered 400/],
    ],
  },
  bark: {
    settings: (server) => ({ key: "s3cretKey", server }),
    asks: { method: "GET", path: "/register/s3cretKey" },
    answers: [
      [200, '{"code":200,"message":"success"}', "ok", /knows the device/],
      [400, '{"code":400,"message":"failed to get [s3cretKey] device token"}', "broken", /does not know this device/],
      [400, '{"code":400,"message":"failed to get [register] device token"}', "ok", /too old to say/],
      [200, "<html>", "broken", /not as Bark does/],
    ],
  },
  pushover: {
    settings: (server) => ({ token: "a".repeat(30), user: "u".repeat(30), server }),
    asks: { method: "POST", path: "/1/users/validate.json" },
    answers: [
      [200, '{"status":1,"devices":["phone"],"request":"r"}', "ok", /knows the application and the user/],
      [400, '{"user":"invalid","errors":["user key is invalid"],"status":0}', "broken", /set your user key/],
      [400, '{"token":"invalid","errors":["application token is invalid"],"status":0}', "broken", /API token/],
    ],
  },
  "home-assistant": {
    settings: (origin) => ({ url: `${origin}/api/webhook/s3cret-hook` }),
    asks: { method: "GET", path: "/manifest.json" },
    answers: [
      [200, '{"name":"Home Assistant"}', "ok", /Home Assistant answers/],
      [200, "<html>Router</html>", "broken", /not as Home Assistant does/],
    ],
  },
};

describe.each(Object.entries(rows))("the probe of %s", (name, { settings, asks, answers }) => {
  const type = name.split(" ")[0] ?? "";

  it.each(answers)("reads %i %s as %s", async (status, body, result, detail) => {
    receiver.behave({ answer: status, body });
    const said = await probe(type, settings(receiver.origin));
    expect(said.status).toBe(result);
    expect(said.detail).toMatch(detail);
    expect(receiver.requests.map(({ method, path }) => ({ method, path }))).toEqual([asks]);
    expect(JSON.stringify(said)).not.toContain("s3cret");
  });

  it("says so when nobody answers", async () => {
    receiver.behave("resetAfterReading");
    expect(await probe(type, settings(receiver.origin))).toMatchObject({ status: "broken" });
  });
});

it("asks Home Assistant nothing that starts an automation, and Gotify nothing that is a message", async () => {
  receiver.behave({ answer: 200, body: "{}" });
  await probe("home-assistant", { url: `${receiver.origin}/api/webhook/s3cret-hook` });
  expect(receiver.requests.map(({ path }) => path)).not.toContain("/api/webhook/s3cret-hook");
  receiver.requests.length = 0;
  await probe("gotify", { server: receiver.origin, token: "A1" });
  expect(receiver.requests.map(({ body }) => body)).toEqual(["[]"]);
});

it("leaves a webhook through Nabu Casa alone", async () => {
  expect(await probe("home-assistant", { url: `${receiver.origin}/hook/abc` })).toMatchObject({ status: "ok" });
  expect(receiver.requests).toEqual([]);
});

describe("the probe of command", () => {
  const script = (mode: number): string => {
    const path = join(folder, "notify");
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
      detail: "there is no program notify on PATH",
    });
    expect(await told(join(folder, "none"))).toMatchObject({ status: "broken", fix: 'install it or correct "argv"' });
    const path = script(0o644);
    expect(await told(path)).toEqual({
      status: "broken",
      detail: `${path} may not be run`,
      fix: `make it executable: chmod +x '${path}'`,
    });
    expect(await told(folder)).toMatchObject({ status: "broken" });
  });
});

const noticed = channelTypes.filter(({ noticing }) => noticing !== undefined);

it("is not sure of what nobody but the person can see or hear", () => {
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
