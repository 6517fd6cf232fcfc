// Rotations that were cut off, and keys of machines elsewhere, on a real broker.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { runCommandLine } from "../../../../src/cli/command-line.ts";
import { withMember } from "../../../../src/wings/fleet/commands/authority.ts";
import {
  type Authority,
  issueCredentials,
  readAuthority,
  writeAuthority,
} from "../../../../src/wings/fleet/admin/authority.ts";
import { readCredentials } from "../../../../src/wings/fleet/credentials.ts";
import { startBroker } from "../../../support/fleet/broker-process.ts";
import { connectPlainly } from "../../../support/fleet/small-fleet.ts";
import { describeWithParts, pathWithDaemons } from "../../../support/parts.ts";
import { commandIo } from "../../../support/project/command-io.ts";
import { temporaryFolder } from "../../../support/project/temporary-state.ts";
import { freePort } from "../../../support/random/free-port.ts";

const refused = /Authorization|Authentication/;

function machine() {
  const home = temporaryFolder();
  const config = join(home, "config");
  const env = { HOME: home, HOOKBELL_CONFIG_DIR: config, PATH: pathWithDaemons() };
  return {
    config,
    file: (name: string) => join(config, "fleet", name),
    /** Its exit code and all that it says. */
    async run(...args: string[]) {
      const said: string[] = [];
      const say = (text: string): void => void said.push(text);
      const code = await runCommandLine(["fleet", ...args], commandIo(home, { env, stdout: say, stderr: say }));
      return { code, said: said.join("") };
    },
  };
}

async function startFleet() {
  const admin = machine();
  const port = await freePort();
  const server = `nats://127.0.0.1:${port}`;
  const who = ["--org", "acme", "--person", "ada", "--host", "laptop", "--server", server];
  expect(await admin.run("init", ...who, "--yes")).toMatchObject({ code: 0 });
  const broker = await startBroker(admin.file("nats-server.conf"), port);
  expect(await admin.run("init")).toMatchObject({ code: 0 });
  const authority = (): Authority => readAuthority(admin.config) as Authority;
  const tryOut = async (text: string, host = "laptop") =>
    await connectPlainly([server], text, { org: "acme", person: "ada", host });
  /** As a command leaves it that is killed after the record of a new key: \`isWritten\`, also after its file. */
  const cutOff = async (isWritten: boolean): Promise<{ old: string; lost: string }> => {
    const old = readFileSync(admin.file("ada.laptop.creds"), "utf8");
    const member = { person: "ada", host: "laptop", role: "device" } as const;
    const { key, credentials } = await issueCredentials(authority(), member);
    const previousKey = readCredentials(old)?.key ?? "";
    writeAuthority(admin.config, withMember(authority(), { ...member, key, previousKey }));
    const head = old.slice(0, old.indexOf("\n") + 1);
    if (isWritten) writeFileSync(admin.file("ada.laptop.creds"), `${head}${credentials}`);
    return { old, lost: credentials };
  };
  return { admin, broker, port, authority, tryOut, cutOff };
}

describeWithParts("fleet rotate", ["nats-server"], () => {
  it("goes on with a rotation on this machine that was cut off before its file was written, and revokes the lost key", async () => {
    const { admin, authority, tryOut, cutOff } = await startFleet();
    const { old, lost } = await cutOff(false);
    const open = await tryOut(old);
    const again = await admin.run("rotate", "ada/laptop");
    expect(again).toMatchObject({
      code: 0,
      said: expect.stringContaining("revoked the old key of ada/laptop") as string,
    });
    await open.closed();
    for (const each of [old, lost]) await expect(tryOut(each)).rejects.toThrow(refused);
    expect(await tryOut(readFileSync(admin.file("ada.laptop.creds"), "utf8"))).toBeDefined();
    expect(authority().members[0]).not.toHaveProperty("previousKey");
  });

  it("goes on with one whose file was written, with the same key", async () => {
    const { admin, tryOut, cutOff } = await startFleet();
    const { old } = await cutOff(true);
    const text = readFileSync(admin.file("ada.laptop.creds"), "utf8");
    expect(await admin.run("rotate", "ada/laptop")).toMatchObject({
      code: 0,
      said: "revoked the old key of ada/laptop\n",
    });
    expect(readFileSync(admin.file("ada.laptop.creds"), "utf8")).toBe(text);
    await expect(tryOut(old)).rejects.toThrow(refused);
  });

  it("makes another key for a machine elsewhere whose file is gone, and none while it is there", async () => {
    const { admin, tryOut } = await startFleet();
    await admin.run("add", "ada/box");
    const old = readFileSync(admin.file("ada.box.creds"), "utf8");
    await admin.run("rotate", "ada/box");
    const first = readFileSync(admin.file("ada.box.creds"), "utf8");
    const refusedAgain = await admin.run("rotate", "ada/box");
    expect(refusedAgain).toMatchObject({
      code: 1,
      said: expect.stringContaining(`copy its file there: ${admin.file("ada.box.creds")}`) as string,
    });
    expect(readFileSync(admin.file("ada.box.creds"), "utf8")).toBe(first);
    rmSync(admin.file("ada.box.creds"));
    expect(await admin.run("rotate", "ada/box")).toMatchObject({
      code: 0,
      said: expect.stringContaining("its file is not here") as string,
    });
    await expect(tryOut(first, "box")).rejects.toThrow(refused);
    expect(await tryOut(old, "box")).toBeDefined();
  });

  it("ends when the other machine has joined with the new file, though its dispatcher stays connected with the old key", async () => {
    const { admin, tryOut } = await startFleet();
    await admin.run("add", "ada/box");
    const box = machine();
    expect(await box.run("join", admin.file("ada.box.creds"), "--yes")).toMatchObject({ code: 0 });
    const old = readFileSync(box.file("ada.box.creds"), "utf8");
    const dispatcher = await tryOut(old, "box");
    await admin.run("rotate", "ada/box");
    expect(await box.run("join", admin.file("ada.box.creds"), "--yes")).toMatchObject({ code: 0 });
    expect(dispatcher.isClosed()).toBe(false);
    expect(await admin.run("rotate")).toEqual({ code: 0, said: "revoked the old key of ada/box\n" });
    await dispatcher.closed();
    await expect(tryOut(old, "box")).rejects.toThrow(refused);
    expect(await tryOut(readFileSync(box.file("ada.box.creds"), "utf8"), "box")).toBeDefined();
  });

  it("tells the broker later what it could not be told, and no other command makes the key valid meanwhile", async () => {
    const { admin, broker, port, tryOut } = await startFleet();
    await admin.run("add", "ada/box");
    const stolen = readFileSync(admin.file("ada.box.creds"), "utf8");
    await broker.stop();
    expect(await admin.run("remove", "ada/box")).toMatchObject({
      code: 1,
      said: expect.stringContaining("hookbell fleet rotate") as string,
    });
    await startBroker(admin.file("nats-server.conf"), port);
    const thief = await tryOut(stolen, "box");
    expect(await admin.run("rotate")).toMatchObject({ code: 0 });
    await thief.closed();
    await expect(tryOut(stolen, "box")).rejects.toThrow(refused);
  });

  it("revokes a key that was signed while this machine's clock was a day ahead", async () => {
    const { admin, tryOut } = await startFleet();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 86_400_000 });
    try {
      expect(await admin.run("add", "ada/box")).toMatchObject({ code: 0 });
    } finally {
      vi.useRealTimers();
    }
    const stolen = readFileSync(admin.file("ada.box.creds"), "utf8");
    const thief = await tryOut(stolen, "box");
    expect(await admin.run("remove", "ada/box")).toMatchObject({ code: 0 });
    await thief.closed();
    await expect(tryOut(stolen, "box")).rejects.toThrow(refused);
  });
});
