// Two machines of one person, as processes of their own, while what is between and below them breaks.
import { notesOf } from "../../../src/channels/rendering/compose.ts";
import type { Delivery } from "../../../src/model/delivery.ts";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { checkStreams } from "../../../src/wings/fleet/admin/streams.ts";
import { stream } from "../../../src/wings/fleet/names.ts";
import { readFleetStatus } from "../../../src/wings/fleet/status.ts";
import { ensureLayout } from "../../../src/outbox/layout.ts";
import { writeIncoming } from "../../../src/outbox/write-incoming.ts";
import { listNames } from "../../../src/system/files/files.ts";
import { startBroker, writeConfig } from "../../support/fleet/broker-process.ts";
import { prepareMachine, runAll, startReceiver, untilLater } from "../../support/fleet/machines.ts";
import { startPlainBroker } from "../../support/fleet/plain-broker.ts";
import { describeWithParts, findPart } from "../../support/parts.ts";
import { cliPath, payloadOf, temporaryProject, type Project } from "../../support/project/running-project.ts";
import { mountParts, mountSmallDisk } from "../../support/project/small-disk.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";
import { freePort } from "../../support/random/free-port.ts";
import { makeSelfSigned } from "../../support/receivers/self-signed.ts";

const libraries = [
  "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1",
  "/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1",
];
const minuteAhead = { LD_PRELOAD: libraries.join(" "), FAKETIME: "+60s", FAKETIME_DONT_FAKE_MONOTONIC: "1" };
const hourMs = 3_600_000;

interface Told {
  session: string;
  note: string;
}

/** What was told more than once, and what was told a second time without saying so; a session stands for an event. */
function countTold(told: readonly Told[]): { sessions: Set<string>; twice: string[]; unmarked: string[] } {
  const bySession = new Map<string, string[]>();
  for (const { session, note } of told) {
    const own = session.replace(/^.*:/, "");
    bySession.set(own, [...(bySession.get(own) ?? []), note]);
  }
  const repeated = [...bySession].filter(([, notes]) => notes.length > 1);
  const isMarked = (note: string): boolean => /may be a repeat/.test(note);
  return {
    sessions: new Set(bySession.keys()),
    twice: repeated.flatMap(([session, notes]) => notes.slice(1).map((note) => `${session}: ${note}`)),
    unmarked: repeated.flatMap(([session, notes]) =>
      notes.filter((note) => !isMarked(note)).length > 1 ? [session] : [],
    ),
  };
}

interface Process {
  project: Project;
  accept(session: string): void;
  start(): void;
  kill(): Promise<void>;
  isConnected(): boolean;
  /** Nothing of it waits to be taken in, told or published. */
  isDone(): boolean;
}

/** A dispatcher in a process of its own, started by `argv`. */
function prepareProcess(
  rules: (project: Project) => unknown,
  argv: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Process {
  const project = temporaryProject();
  ensureLayout(project.layout);
  project.writeRules(rules(project));
  let child: ChildProcess | undefined;
  const kill = async (): Promise<void> => {
    if (child === undefined) return;
    const ended = once(child, "exit");
    if (child.kill("SIGKILL")) await ended;
    child = undefined;
  };
  onTestFinished(kill);
  const isEmpty = (folder: string): boolean => listNames(folder).length === 0;
  return {
    project,
    accept: (session) =>
      writeIncoming(project.layout, payloadOf("Stop", { session_id: session }), {
        agentId: "generic",
        nowMs: Date.now(),
      }),
    start() {
      const [program, ...before] = [...argv, process.execPath];
      child = spawn(program, [...before, cliPath, "dispatch"], {
        env: { ...project.env, ...env },
        cwd: project.home,
        stdio: "ignore",
      });
    },
    kill,
    isConnected: () => readFleetStatus(project.layout)?.what === "connected",
    isDone: () =>
      [project.layout.incoming, project.layout.outbox, join(project.layout.root, "fleet/unpublished")].every(isEmpty),
  };
}

const rulesOf = (servers: readonly string[], host: string, channel: unknown, more = {}): unknown => ({
  channels: { ops: channel },
  rules: [{ name: "all", when: { event: "Stop" }, notify: ["ops"] }],
  fleet: { servers, org: "acme", person: "ada", host, ...more },
});

describeWithParts("two machines whose clocks are a minute apart", ["nats-server", "faketime"], () => {
  it("lose no event while dispatchers and three brokers are killed in turn, and mark what is told twice", async () => {
    const count = 300;
    const broker = await startPlainBroker(3);
    const receiver = await startReceiver();
    const machines = ["box", "laptop"].map((host) =>
      prepareProcess(
        () => rulesOf(broker.servers, host, { type: "webhook", url: `${receiver.origin}/${host}` }),
        [],
        host === "box" ? minuteAhead : {},
      ),
    );
    const [box, laptop] = machines;
    if (box === undefined || laptop === undefined) throw new Error("no machines");
    for (const machine of machines) machine.start();
    await box.project.until("both are connected", () => machines.every((machine) => machine.isConnected()));
    expect(Math.round((readFleetStatus(box.project.layout)?.clockAheadMs ?? 0) / 10_000)).toBe(6);
    let down: number | undefined;
    let kills = 0;
    for (let index = 0; index < count; index += 1) {
      machines[index % 2]?.accept(`s${index}`);
      if (index % 15 === 7) {
        const victim = machines[kills % 2];
        await victim?.kill();
        victim?.start();
        kills += 1;
      }
      if (index % 30 === 0) {
        if (down !== undefined) await broker.start(down);
        down = (index / 30) % 3;
        await broker.stop(down, "SIGKILL");
      }
      await sleep(100);
    }
    if (down !== undefined) await broker.start(down);
    const told = (): Told[] => receiver.asked.map(({ body }) => toldIn(body));
    await box.project.until("all are told", () => countTold(told()).sessions.size === count);
    await box.project.until("nothing waits", () => machines.every((machine) => machine.isDone()));
    const { twice, unmarked } = countTold(told());
    process.stderr.write(`${kills} dispatchers and ${count / 30} brokers killed; told twice:\n${twice.join("\n")}\n`);
    expect(unmarked).toEqual([]);
    const { state } = await (await jetstreamManager(await broker.connect())).streams.info(stream.name);
    expect(state.messages).toBe(count);
  });
});

function toldIn(body: string): Told {
  const { data } = JSON.parse(body) as { data: Pick<Delivery, "event" | "message"> };
  return { session: data.event.session, note: notesOf(data.message) };
}

/** Containers let root make no network namespace, so it is tried once. */
const canCut = process.getuid?.() === 0 && spawnSync("unshare", ["--net", "--mount", "true"]).status === 0;

describeWithParts(
  "a machine in a network namespace",
  canCut ? ["nats-server", "ip", "openssl"] : ["right to make a network namespace"],
  () => {
    it("whose network is cut and healed loses no event, and what is told twice says so", async () => {
      const [count, name] = [240, `hb${process.pid}`];
      const ip = (...args: string[]): unknown => execFileSync(findPart("ip") ?? "ip", args);
      const inside = ["netns", "exec", name, findPart("ip") ?? "ip"];
      ip("netns", "add", name);
      onTestFinished(() => void ip("netns", "delete", name));
      ip("link", "add", `${name}a`, "type", "veth", "peer", "name", `${name}b`);
      ip("link", "set", `${name}b`, "netns", name);
      ip("address", "add", "198.18.77.1/30", "dev", `${name}a`);
      ip(...inside, "address", "add", "198.18.77.2/30", "dev", `${name}b`);
      ip(...inside, "link", "set", "lo", "up");
      ip(...inside, "link", "set", `${name}b`, "up");
      const heal = (): unknown => ip("link", "set", `${name}a`, "up");
      const cut = (): unknown => ip("link", "set", `${name}a`, "down");
      heal();
      const { key, certFile } = makeSelfSigned(["198.18.77.1", "127.0.0.1"]);
      const folder = temporaryFolder();
      const port = await freePort();
      const keyFile = certFile.replace("cert.pem", "key.pem");
      expect(readFileSync(keyFile, "utf8")).toBe(key);
      const config = `listen: "0.0.0.0:${port}"\njetstream { store_dir: "${folder}" }\ntls { cert_file: "${certFile}", key_file: "${keyFile}" }\n`;
      await startBroker(writeConfig(folder, config), port);
      const connection = await connect({
        servers: `127.0.0.1:${port}`,
        tls: { caFile: certFile, checkServerIdentity: () => undefined } as object,
      });
      onTestFinished(async () => await connection.close());
      const manager = await jetstreamManager(connection);
      await checkStreams(manager, { replicas: 1, change: "missing" });
      /** Each message is a file, since no receiver is on both sides of the cut. */
      const channel = {
        type: "command",
        argv: ["sh", "-c", "cat > told/$$.part && mv told/$$.part told/$$.json"],
        cwd: "home",
      };
      const machines = (["box", "laptop"] as const).map((host) =>
        prepareProcess(
          ({ home }) => {
            mkdirSync(join(home, "told"));
            return rulesOf([`tls://${host === "box" ? "198.18.77.1" : "127.0.0.1"}:${port}`], host, channel, {
              ca: certFile,
            });
          },
          host === "box" ? [findPart("ip") ?? "ip", "netns", "exec", name] : [],
        ),
      );
      const [box, laptop] = machines;
      if (box === undefined || laptop === undefined) throw new Error("no machines");
      for (const machine of machines) machine.start();
      await box.project.until("both are connected", () => machines.every((machine) => machine.isConnected()));
      let cuts = 0;
      for (let index = 0; index < count; index += 1) {
        machines[index % 2]?.accept(`s${index}`);
        if (index % 60 === 20) cut();
        if (index % 60 === 50) heal();
        if (index % 60 === 20) cuts += 1;
        await sleep(150);
      }
      const told = (): Told[] =>
        machines.flatMap(({ project: { home } }) =>
          readdirSync(join(home, "told"))
            .filter((file) => file.endsWith(".json"))
            .map((file) => {
              const { event, message } = JSON.parse(readFileSync(join(home, "told", file), "utf8")) as {
                event: { session: string };
                message: Delivery["message"];
              };
              return { session: event.session, note: notesOf(message) };
            }),
        );
      await box.project.until("all are told", () => countTold(told()).sessions.size === count);
      await box.project.until("nothing waits", () => machines.every((machine) => machine.isDone()));
      const { twice, unmarked } = countTold(told());
      process.stderr.write(`cut ${cuts} times; told twice:\n${twice.join("\n")}\n`);
      expect(unmarked).toEqual([]);
      expect((await manager.streams.info(stream.name)).state.messages).toBe(count);
    });
  },
);

describeWithParts("a full disk", ["nats-server", ...mountParts], () => {
  it("under the broker keeps events on their machines, which tell their own, until it has room", async () => {
    const store = join(temporaryFolder(), "store");
    const disk = mountSmallDisk(store, "16m");
    const broker = await startPlainBroker(1, { store });
    const receiver = await startReceiver();
    const box = await prepareMachine(broker, receiver, "box", { idleMs: hourMs });
    const laptop = await prepareMachine(broker, receiver, "laptop", { idleMs: 1000 });
    await runAll(box, laptop);
    box.accept("Stop", { session_id: "s0" });
    await untilLater("the laptop tells", [box, laptop], () => laptop.told.length === 1);
    disk.fill();
    for (let index = 1; index <= 20; index += 1)
      box.accept("Stop", { session_id: `s${index}`, last_assistant_message: "word ".repeat(2000) });
    const told = (): Told[] => [...box.told, ...laptop.told];
    await untilLater("all are told", [box, laptop], () => countTold(told()).sessions.size === 21);
    disk.makeRoom();
    // nats-server 2.9 ends JetStream on a full disk until it is started anew, and may not end by itself then.
    await broker.stop(0, "SIGKILL");
    await broker.start();
    const unpublished = (): number => listNames(join(box.dispatcher.layout.root, "fleet/unpublished")).length;
    await untilLater("all are published", [box, laptop], () => unpublished() === 0);
    const { twice, unmarked } = countTold(told());
    process.stderr.write(`told twice:\n${twice.join("\n")}\n`);
    expect(unmarked).toEqual([]);
    const manager = await jetstreamManager(await broker.connect());
    expect((await manager.streams.info(stream.name)).state.messages).toBe(21);
  });

  it("under a machine's state loses and doubles nothing once there is room", async () => {
    const broker = await startPlainBroker();
    const receiver = await startReceiver();
    const box = await prepareMachine(broker, receiver, "box", { idleMs: hourMs });
    const laptop = await prepareMachine(broker, receiver, "laptop", { idleMs: 1000 });
    const { layout } = box.dispatcher;
    const disk = mountSmallDisk(layout.root);
    ensureLayout(layout);
    await runAll(box, laptop);
    for (let index = 0; index < 5; index += 1) box.accept("Stop", { session_id: `s${index}` });
    disk.fill();
    const told = (): Told[] => [...box.told, ...laptop.told];
    await sleep(500);
    expect([listNames(layout.incoming).length, told()]).toEqual([5, []]);
    disk.makeRoom();
    await untilLater("all are told", [box, laptop], () => countTold(told()).sessions.size === 5);
    const manager = await jetstreamManager(await broker.connect());
    const isEmpty = (): boolean =>
      [layout.incoming, layout.outbox, join(layout.root, "fleet/unpublished")].every(
        (folder) => listNames(folder).length === 0,
      );
    await untilLater("nothing waits", [box, laptop], isEmpty);
    const { twice } = countTold(told());
    expect(twice).toEqual([]);
    expect((await manager.streams.info(stream.name)).state.messages).toBe(5);
  });
});
