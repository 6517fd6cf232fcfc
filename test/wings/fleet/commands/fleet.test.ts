import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { createUser, encodeUser, fmtCreds, fromSeed } from "@nats-io/jwt";
import { connect, credsAuthenticator, type NatsConnection } from "@nats-io/transport-node";
import { expect, it, onTestFinished } from "vitest";
import { examineFleet } from "../../../../src/wings/fleet/commands/doctor.ts";
import { runCommand } from "../../../../src/cli/command-line.ts";
import { briefCredentials, readAuthority } from "../../../../src/wings/fleet/admin/authority.ts";
import { readCredentials } from "../../../../src/wings/fleet/credentials.ts";
import { eventSubject, inboxPrefix, type Member } from "../../../../src/wings/fleet/names.ts";
import { UserError } from "../../../../src/model/errors.ts";
import { systemClock } from "../../../../src/system/clock.ts";
import { startBroker } from "../../../support/fleet/broker-process.ts";
import { freePort } from "../../../support/random/free-port.ts";
import { connectPlainly } from "../../../support/fleet/small-fleet.ts";
import { describeWithParts, pathWithDaemons } from "../../../support/parts.ts";
import { commandIo } from "../../../support/project/command-io.ts";
import { temporaryFolder } from "../../../support/project/temporary-state.ts";
import { makeSelfSigned } from "../../../support/receivers/self-signed.ts";

/** A machine with a configuration folder of its own. */
function machine() {
  const home = temporaryFolder();
  const config = join(home, "config");
  const env = {
    HOME: home,
    HOOKBELL_CONFIG_DIR: config,
    HOOKBELL_STATE_DIR: join(home, "state"),
    PATH: pathWithDaemons(),
  };
  const io = (out: { stdout: string; stderr: string }) =>
    commandIo(home, { env, stdout: (text) => void (out.stdout += text), stderr: (text) => void (out.stderr += text) });
  return {
    config,
    file: (name: string) => join(config, "fleet", name),
    async run(...args: string[]) {
      const out = { stdout: "", stderr: "" };
      try {
        return { code: await runCommand(["fleet", ...args], io(out)), ...out };
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        return { code: error.exitCode, ...out, stderr: `${out.stderr}${error.message}\n${error.hint ?? ""}` };
      }
    },
    findings: () => examineFleet(io({ stdout: "", stderr: "" })),
    async doctor() {
      const findings = await this.findings();
      return findings.map(({ status, text }) => `${status}: ${text}`);
    },
  };
}

const rules = `{
  // mine
  "channels": { "desk": { "type": "desktop" } },
  "rules": [{ "notify": ["desk"] }]
}
`;

/** A fleet whose broker runs, on the administrator's machine. */
async function startFleet() {
  const admin = machine();
  const port = await freePort();
  const server = `nats://127.0.0.1:${port}`;
  const made = await admin.run(
    "init",
    "--org",
    "acme",
    "--person",
    "ada",
    "--host",
    "laptop",
    "--server",
    server,
    "--yes",
  );
  expect(made).toMatchObject({ code: 0, stderr: "" });
  const broker = await startBroker(admin.file("nats-server.conf"), port);
  const tried = await admin.run("init", "--dry-run");
  expect(await admin.run("init")).toMatchObject({ code: 0, stderr: "" });
  return { admin, port, server, broker, made, tried };
}

const contents = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.includes("hookbell-backup"))
      .map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), "utf8")]),
  );

describeWithParts("hookbell fleet", ["nats-server", "openssl"], () => {
  it("starts a fleet: private files, a configuration without secrets, then stream and buckets", async () => {
    const { admin, made, tried } = await startFleet();
    expect(tried).toMatchObject({
      code: 0,
      stderr: "",
      stdout: expect.stringMatching(/^this would tell nats:/) as unknown,
    });
    for (const name of readdirSync(join(admin.config, "fleet")))
      expect([name, (statSync(admin.file(name)).mode & 0o777).toString(8)]).toEqual([name, "600"]);
    const seeds = Object.values(readAuthority(admin.config)?.seeds ?? {});
    expect(seeds.length).toBeGreaterThan(5);
    const own = /SU[A-Z2-7]{50,}/.exec(readFileSync(admin.file("ada.laptop.creds"), "utf8"))?.[0] ?? "";
    expect(own).not.toBe("");
    for (const secret of [...seeds, own]) {
      expect(readFileSync(admin.file("nats-server.conf"), "utf8")).not.toContain(secret);
      expect(made.stdout).not.toContain(secret);
    }
    for (const seed of seeds) expect(readFileSync(admin.file("ada.laptop.creds"), "utf8")).not.toContain(seed);
    expect(await admin.doctor()).toEqual([
      expect.stringMatching(/^ok: connected to 127\.0\.0\.1:\d+, nats-server [\d.]+, without TLS, on this machine$/),
      expect.stringMatching(
        /^ok: ada\/laptop, a device, has all \d+ rights that it needs, and none of the \d+ that it must not have$/,
      ),
      "ok: this machine's clock agrees with the broker's",
      ...["device", "host", "server", "team"].map((role): unknown =>
        expect.stringMatching(new RegExp(`^ok: a ${role} has all`)),
      ),
      "ok: the stream and the buckets of acme are set up correctly",
      expect.stringMatching(/hookbell-1/),
    ]);
    expect((await admin.run()).stdout).toContain("ada/laptop, a device of acme, connected to 127.0.0.1");
  });

  it("adds a second machine and a second person, each with rights of its own", async () => {
    const { admin } = await startFleet();
    const box = machine();
    const bobs = machine();
    for (const [other, name, role] of [
      [box, "ada/box", "host"],
      [bobs, "bob/pc", "device"],
    ] as const) {
      const file = admin.file(`${name.replace("/", ".")}.creds`);
      expect(await admin.run("add", name, "--role", role)).toMatchObject({ code: 0, stderr: "" });
      expect(await other.run("join", file, "--yes")).toMatchObject({ code: 0, stderr: "" });
      const findings = await other.doctor();
      expect(findings.map((each) => each.slice(0, 4))).toEqual(["ok: ", "ok: ", "ok: "]);
      expect(findings[1]).toContain(`${name}, a ${role}, has all`);
      expect(readFileSync(other.file(`${name.replace("/", ".")}.creds`), "utf8")).toBe(readFileSync(file, "utf8"));
    }
    expect(await admin.run("add", "ada/box")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("a member already") as unknown,
    });
    expect(await box.run("add", "eve/box")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("does not have the fleet's keys") as unknown,
    });
    const listed = JSON.parse((await admin.run("--json")).stdout) as {
      members: { person: string; host: string; role: string }[];
    };
    expect(listed.members.map(({ person, host, role }) => `${person}/${host} ${role}`)).toEqual([
      "ada/laptop device",
      "ada/box host",
      "bob/pc device",
    ]);
  });

  it.each([
    ["of a rules file", rules],
    ["without a rules file", undefined],
  ])("gives every byte back: %s", async (_, text) => {
    const { admin } = await startFleet();
    await admin.run("add", "ada/box");
    const box = machine();
    if (text !== undefined) {
      mkdirSync(box.config, { recursive: true });
      writeFileSync(join(box.config, "rules.jsonc"), text);
    }
    const before = existsSync(box.config) ? contents(box.config) : {};
    expect((await box.run("join", admin.file("ada.box.creds"), "--dry-run")).code).toBe(0);
    expect(existsSync(box.config) ? contents(box.config) : {}).toEqual(before);
    await box.run("join", admin.file("ada.box.creds"), "--yes");
    await box.run("join", admin.file("ada.box.creds"), "--yes");
    expect(readFileSync(join(box.config, "rules.jsonc"), "utf8")).toContain('"fleet"');
    expect(await box.run("remove", "--yes")).toMatchObject({ code: 0, stderr: "" });
    expect(contents(box.config)).toEqual(before);
    expect(existsSync(join(box.config, "fleet"))).toBe(false);
  });

  it("keeps what was edited since, and takes only its own part out", async () => {
    const { admin } = await startFleet();
    const path = join(admin.config, "rules.jsonc");
    const edited = readFileSync(path, "utf8").replace('"rules": [', '"idle": "remind",\n  "rules": [');
    writeFileSync(path, edited);
    expect((await admin.run("remove", "--yes")).stdout).toContain('removed "fleet" from');
    expect(readFileSync(path, "utf8")).toContain('"idle": "remind"');
    expect(readFileSync(path, "utf8")).not.toContain('"fleet"');
  });

  it.each([
    "nats://nats.example.com:4222",
    "nats://192.168.1.5:4222",
    "http://127.0.0.1:4222",
    "nats://127.0.0.1.example.com",
  ])("refuses a server that could be heard by others: %s", async (server) => {
    const admin = machine();
    const { code, stderr } = await admin.run("init", "--org", "acme", "--person", "ada", "--server", server, "--yes");
    expect(code).toBe(64);
    expect(stderr).toMatch(/tls:\/\//);
    expect(existsSync(admin.config)).toBe(false);
  });

  it("takes a server's file for hookbell serve only", async () => {
    const { admin } = await startFleet();
    const added = await admin.run("add", "ops/serve", "--role", "server");
    expect(added.stdout).toContain("run there: hookbell serve --fleet ops.serve.creds\n");
    const file = admin.file("ops.serve.creds");
    expect(await machine().run("join", file, "--yes")).toMatchObject({
      code: 65,
      stderr: expect.stringContaining("is for hookbell serve\nhookbell serve --fleet ") as unknown,
    });
  });

  it("names each difference of a stream, changes nothing, and corrects it on request", async () => {
    const { admin, server } = await startFleet();
    const authority = readAuthority(admin.config);
    if (authority === undefined) throw new Error("no keys");
    const credentials = await briefCredentials(authority, "admin", systemClock.now());
    const connection = await connectPlainly([server], credentials, { org: "acme", person: "x", host: "y" });
    const manager = await jetstreamManager(connection);
    await manager.streams.update("EVENTS", { max_bytes: 5000 });
    await manager.streams.delete("KV_claims");
    const checked = await admin.run("init");
    expect(checked).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("hookbell fleet init --correct") as unknown,
    });
    expect(checked.stdout).toContain("different EVENTS\n  max_bytes is 5000, expected 1073741824\n");
    expect(checked.stdout).toContain("made KV_claims\n");
    expect((await manager.streams.info("EVENTS")).config.max_bytes).toBe(5000);
    expect(await admin.doctor()).toContain("broken: EVENTS: max_bytes is 5000, expected 1073741824");
    expect(await admin.run("init", "--correct")).toMatchObject({ code: 0, stderr: "" });
    expect((await manager.streams.info("EVENTS")).config.max_bytes).toBe(1_073_741_824);
  });

  it("speaks TLS off loopback, and members trust the servers' authority", async () => {
    const admin = machine();
    const port = await freePort();
    const { key, cert, certFile } = makeSelfSigned(["localhost"]);
    const keyFile = join(temporaryFolder(), "key.pem");
    writeFileSync(keyFile, key);
    const where = [
      "--server",
      `tls://localhost:${port}`,
      "--ca",
      certFile,
      "--certificate",
      certFile,
      "--key",
      keyFile,
    ];
    const who = ["--org", "acme", "--person", "ada", "--host", "laptop", "--store", temporaryFolder()];
    expect(await admin.run("init", ...who, ...where, "--yes")).toMatchObject({ code: 0, stderr: "" });
    // The test's server is heard on this machine only.
    const config = admin.file("nats-server.conf");
    writeFileSync(config, readFileSync(config, "utf8").replace("0.0.0.0", "127.0.0.1"));
    await startBroker(config, port);
    expect(await admin.run("init")).toMatchObject({ code: 0, stderr: "" });
    await admin.run("add", "ada/box", "--role", "host");
    const box = machine();
    expect(await box.run("join", admin.file("ada.box.creds"), "--yes")).toMatchObject({ code: 0, stderr: "" });
    expect(readFileSync(box.file("ca.pem"), "utf8")).toBe(cert);
    expect((await box.doctor())[0]).toMatch(/^ok: connected to localhost:\d+, nats-server [\d.]+, with TLS$/);
  });

  it("rotates a key under a running publisher, and loses no event", async () => {
    const { admin, server } = await startFleet();
    const member = { org: "acme", person: "ada", host: "laptop" };
    const file = admin.file("ada.laptop.creds");
    const oldText = readFileSync(file, "utf8");
    // As the dispatcher does: connects with what the file says then, and publishes an event until it is confirmed.
    const publisher = publishing(server, member, () => readFileSync(file, "utf8"));
    await publisher.until(50);
    const rotated = await admin.run("rotate", "ada/laptop");
    expect(rotated).toMatchObject({ code: 0, stderr: "" });
    expect(rotated.stdout).toContain("revoked the old key of ada/laptop");
    await publisher.until(publisher.confirmed() + 50);
    const ids = await publisher.end();
    expect(publisher.connections()).toBeGreaterThan(1);
    expect(readCredentials(readFileSync(file, "utf8"))?.key).not.toBe(readCredentials(oldText)?.key);
    await expect(connectPlainly([server], oldText, member)).rejects.toThrow(/Authorization|Authentication/);
    const reader = await connectPlainly([server], readFileSync(file, "utf8"), member);
    expect(await eventsOf(admin.config, server)).toEqual(ids.map((id) => eventSubject(member, id)).toSorted());
    expect(reader.isClosed()).toBe(false);
  });

  it("keeps the old key of another machine until the new one was used", async () => {
    const { admin, server } = await startFleet();
    await admin.run("add", "ada/box");
    const member = { org: "acme", person: "ada", host: "box" };
    const oldText = readFileSync(admin.file("ada.box.creds"), "utf8");
    const old = await connectPlainly([server], oldText, member);
    expect((await admin.run("rotate", "ada/box")).stdout).toContain("has not used its new key yet; both are valid");
    expect((await admin.run("rotate")).stdout).toContain("both are valid");
    await jetstream(old).publish(eventSubject(member, "e1"), "still here");
    expect(await admin.run("rotate", "ada/box")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("has not been used yet") as unknown,
    });
    const next = await connectPlainly([server], readFileSync(admin.file("ada.box.creds"), "utf8"), member);
    expect((await admin.run("rotate")).stdout).toBe("revoked the old key of ada/box\n");
    await old.closed();
    await expect(connectPlainly([server], oldText, member)).rejects.toThrow(/Authorization|Authentication/);
    await jetstream(next).publish(eventSubject(member, "e2"), "with the new key");
    expect(await admin.run("rotate")).toMatchObject({ code: 0, stdout: "" });
  });

  it("revokes a stolen key at once, for good also after a restart of the broker", async () => {
    const { admin, server, port, broker } = await startFleet();
    await admin.run("add", "ada/box");
    const member = { org: "acme", person: "ada", host: "box" };
    const stolen = readFileSync(admin.file("ada.box.creds"), "utf8");
    const thief = await connectPlainly([server], stolen, member);
    expect((await admin.run("remove", "ada/box")).stdout).toContain("revoked the key of ada/box");
    await thief.closed();
    await expect(connectPlainly([server], stolen, member)).rejects.toThrow(/Authorization|Authentication/);
    await broker.stop();
    expect(await admin.run("remove", "ada/laptop")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("the key of ada/laptop is still valid: cannot connect") as unknown,
    });
    await startBroker(admin.file("nats-server.conf"), port);
    await expect(connectPlainly([server], stolen, member)).rejects.toThrow(/Authorization|Authentication/);
    expect(await admin.run("init")).toMatchObject({ code: 0, stderr: "" });
    expect(await admin.doctor()).toContainEqual(expect.stringMatching(/^broken: fleet.credentials: there is no file /));
  });

  it("finds credentials of another machine, and rights that someone has widened", async () => {
    const { admin } = await startFleet();
    const path = join(admin.config, "rules.jsonc");
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replace('"host": "laptop"', '"host": "other"'));
    expect(await admin.doctor()).toContain("broken: the credentials are of host laptop, and the rules file says other");
    writeFileSync(path, text);
    // Signed by the account itself, a token has whatever rights it lists; this one lists none, which means all.
    const { seeds } = readAuthority(admin.config) ?? {};
    const user = createUser();
    const tags = ["org:acme", "person:ada", "host:laptop", "role:device"];
    const token = await encodeUser("wide", user, fromSeed(Buffer.from(seeds?.account ?? "")), { tags });
    writeFileSync(admin.file("ada.laptop.creds"), fmtCreds(token, user));
    const findings = await admin.doctor();
    expect(findings).toContain("broken: ada/laptop, a device, can publish events as another person");
    expect(findings).toContain("broken: ada/laptop, a device, can read any event by its number");
    expect(findings).toContain("broken: ada/laptop, a device, can listen to entries");
    expect(findings.filter((each) => each.includes(", a device, cannot"))).toEqual([]);
  });
});

it("says once that the broker cannot be reached, and starts the server whose configuration is here", async () => {
  const admin = machine();
  const server = `nats://127.0.0.1:${await freePort()}`;
  const who = ["--org", "acme", "--person", "ada", "--host", "laptop"];
  expect(await admin.run("init", ...who, "--server", server, "--yes")).toMatchObject({ code: 0 });
  expect(await admin.findings()).toEqual([
    {
      status: "broken",
      text: expect.stringMatching(/^cannot connect to the broker at nats:\/\/127/),
      fix: "start the server, in a terminal of its own:",
      command: `nats-server -c ${admin.file("nats-server.conf")}`,
    },
  ]);
});

it("leaves the desktop and the sound out of a new rules file on a machine without a screen, and says so", async () => {
  const admin = machine();
  const who = ["--org", "acme", "--person", "ada", "--host", "laptop"];
  const { stdout } = await admin.run("init", ...who, "--yes");
  expect(stdout).toContain("left out, since this machine has no screen or speakers for it: desktop, sound; to add one");
  const written = readFileSync(join(admin.config, "rules.jsonc"), "utf8");
  expect(written).toContain('"fleet"');
  expect(written).not.toContain('{ "type": "desktop" }');
});

/** Publishes event after event, each until it is confirmed, over new connections where one ends. */
function publishing(server: string, member: Member, credentials: () => string) {
  const ids: string[] = [];
  const ending = new AbortController();
  let connections = 0;
  const waiting: { from: number; resolve: () => void }[] = [];
  const open = async (): Promise<NatsConnection> => {
    connections += 1;
    const authenticator = credsAuthenticator(new TextEncoder().encode(credentials()));
    return await connect({ servers: [server], authenticator, inboxPrefix: inboxPrefix(member), reconnect: false });
  };
  const run = (async () => {
    let connection = await open();
    while (!ending.signal.aborted) {
      const id = `e${ids.length}`;
      try {
        await jetstream(connection).publish(eventSubject(member, id), id, { msgID: id });
      } catch {
        if (connection.isClosed()) connection = await open();
        continue;
      }
      ids.push(id);
      for (const each of waiting) if (ids.length >= each.from) each.resolve();
    }
    await connection.close();
  })();
  onTestFinished(() => ending.abort());
  return {
    until: async (from: number) => await new Promise<void>((resolve) => waiting.push({ from, resolve })),
    confirmed: () => ids.length,
    connections: () => connections,
    async end(): Promise<string[]> {
      ending.abort();
      await run;
      return ids;
    },
  };
}

/** The subjects on the broker, each as often as it is stored. */
async function eventsOf(configDir: string, server: string): Promise<string[]> {
  const authority = readAuthority(configDir);
  if (authority === undefined) throw new Error("no keys");
  const credentials = await briefCredentials(authority, "admin", systemClock.now());
  const connection = await connectPlainly([server], credentials, { org: "acme", person: "x", host: "y" });
  const { state } = await (await jetstreamManager(connection)).streams.info("EVENTS", { subjects_filter: ">" });
  return Object.entries(state.subjects ?? {})
    .flatMap(([subject, times]) => Array.from({ length: times }, () => subject))
    .toSorted();
}
