// What a dispatcher runs: each service fails alone, and all of them end in an order in which nothing is lost.
import { describe, expect, it, onTestFinished } from "vitest";
import { wings } from "../../src/wings/index.ts";
import { createAttendant, type Service } from "../../src/daemon/attend.ts";
import { runLoop, type Crew } from "../../src/daemon/loop.ts";
import { lastingServices, leasedServices } from "../../src/daemon/services.ts";
import { ensureLayout } from "../../src/outbox/layout.ts";
import { holdLease, takeLease } from "../../src/outbox/lease/lease.ts";
import { createWakeSignal } from "../../src/system/clock.ts";
import { prepareDispatcher, rulesTo } from "../support/project/running-dispatcher.ts";
import { startHttpReceiver } from "../support/receivers/http-receiver.ts";

type Verb = "start" | "poll" | "stop";

/** All that a dispatcher runs; `replace` may put another service in the place of each. */
async function prepare(replace: (service: Service) => Service = (service) => service) {
  const receiver = await startHttpReceiver();
  onTestFinished(receiver.close);
  const running = prepareDispatcher();
  const { dispatcher, clock } = running;
  const { layout, tools } = dispatcher;
  ensureLayout(layout);
  running.writeRules(rulesTo(`${receiver.origin}/x`));
  await dispatcher.rereadRules();
  const stop = new AbortController();
  const io = {
    ...tools,
    places: { home: tools.home, configDir: tools.home, stateDir: layout.root, rulesFile: dispatcher.rulesFile },
    untilStopped: () => stop.signal,
  };
  const taken = takeLease(layout, clock);
  if (taken === undefined) throw new Error("no lease");
  const lease = holdLease(taken, clock);
  onTestFinished(lease.stop);
  const signal = createWakeSignal(clock);
  const leased = await leasedServices(dispatcher, lease, { isLeavingRetries: false, ended: [], wings }, signal.wake);
  const lasting = (await lastingServices(dispatcher, io, false, wings)).services;
  // A service that breaks may have left open what keeps the state folder from being removed on Windows.
  onTestFinished(async () => {
    for (const service of [...leased.services, ...lasting]) await service.stop?.("ended");
  });
  const places = new Map([...leased.services, ...lasting].map((service) => [service, replace(service)]));
  const placed = (services: readonly Service[]): Service[] => services.map((service) => places.get(service) ?? service);
  const crew: Crew = {
    services: placed(leased.services),
    stopping: leased.stopping.map(placed),
    lasting: placed(lasting),
  };
  const attendant = createAttendant(layout, clock);
  return {
    ...running,
    receiver,
    crew,
    stop: () => stop.abort(),
    async run() {
      await attendant.start(crew.lasting);
      const loop = { attendant, signal, clock, onRound: dispatcher.rereadRules };
      const result = await runLoop(crew, lease, loop, { idleMs: undefined, isStaying: true, stop: stop.signal });
      await attendant.stop([crew.lasting], result);
      return result;
    },
  };
}

/** The service itself, which may be an instance of a class, with other methods. */
function withMethods(service: Service, methods: Partial<Service>): Service {
  return new Proxy(service, {
    get: (target, key, receiver): unknown => Reflect.get(Object.hasOwn(methods, key) ? methods : target, key, receiver),
  });
}

function breaking(service: Service, verb: Verb): Service {
  const fail = (): never => {
    throw new Error(`cannot ${verb}`);
  };
  return withMethods(service, { [verb]: async () => await Promise.resolve().then(fail) });
}

const vital = ["intake", "outbox", "deliveries"];
/** Those of wings, by the wing that brings each. */
const ofWings = { fleet: "fleet", remotes: "remote", "platform polls": "platform", "hooks of agents": "guard" };
const isHere = (wing: string): boolean => wings.some(({ name }) => name === wing);
const alone = [
  "housekeeping",
  "sessions",
  "sessions of other machines",
  "questions",
  "clicks",
  "reactions",
  "status line",
  "disk watch",
  "digests",
  "presence file",
  "shell hooks",
  ...Object.entries(ofWings).flatMap(([service, wing]) => (isHere(wing) ? [service] : [])),
];

describe("the services", () => {
  it("are those that this test knows", async () => {
    const { crew } = await prepare();
    const names = [...crew.services, ...crew.lasting].map(({ name }) => name);
    expect(new Set(names)).toEqual(new Set([...vital, ...alone]));
    expect(names.length).toBe(vital.length + alone.length);
    expect(new Set(crew.stopping.flat())).toEqual(new Set(crew.services));
  });

  it.runIf(isHere("fleet"))("begin with the fleet, and end with intake, then deliveries, then the fleet", async () => {
    const { crew } = await prepare();
    const begins = (name: string): number => crew.services.findIndex((each) => each.name === name);
    const ends = (name: string): number => crew.stopping.findIndex((row) => row.some((each) => each.name === name));
    expect(begins("fleet")).toBeLessThan(begins("intake"));
    expect(ends("intake")).toBeLessThan(ends("deliveries"));
    expect(ends("deliveries")).toBeLessThan(ends("fleet"));
  });

  describe.each(alone)("without %s", (name) => {
    it.each(["start", "poll", "stop"] as const)("in %s, the others go on, and the journal tells", async (verb) => {
      const stopped: string[] = [];
      const { accept, clock, crew, journal, receiver, run, stop, until } = await prepare((service) => {
        const placed = service.name === name ? breaking(service, verb) : service;
        return withMethods(placed, {
          async stop(why) {
            stopped.push(service.name);
            await placed.stop?.(why);
          },
        });
      });
      const ended = run();
      accept("Stop", { session_id: "s1" });
      await until("its message", () => receiver.requests.length === 1);
      // It is tried again, and its failure is told once.
      clock.turn(6000);
      accept("Stop", { session_id: "s2" });
      await until("the next message", () => receiver.requests.length === 2);
      stop();
      expect(await ended).toBe("ended");
      const bugs = journal("dispatcher").filter(({ what }) => what === "bug");
      expect(bugs.map(({ detail }) => detail)).toEqual([`${name}: cannot ${verb}`]);
      expect(new Set(stopped)).toEqual(new Set([...crew.services, ...crew.lasting].map((each) => each.name)));
    });
  });

  it.each(vital)("end if %s does not start or stop", async (name) => {
    for (const verb of ["start", "stop"] as const) {
      const { run, stop } = await prepare((service) => (service.name === name ? breaking(service, verb) : service));
      const ended = run();
      stop();
      await expect(ended).rejects.toThrow(`cannot ${verb}`);
    }
  });

  it("are polled again once they work, and have started by then", async () => {
    let fails = true;
    const calls: string[] = [];
    const { clock, run, stop, until, journal } = await prepare((service) =>
      service.name !== "questions"
        ? service
        : withMethods(service, {
            async start() {
              calls.push("start");
              if (fails) throw new Error("not yet");
            },
            poll() {
              calls.push("poll");
              return { nextAt: Infinity };
            },
          }),
    );
    const ended = run();
    await until("its failure", () => journal("dispatcher").some(({ what }) => what === "bug"));
    fails = false;
    await until("a poll", () => {
      clock.turn(1000);
      return calls.includes("poll");
    });
    expect(calls.slice(0, 3)).toEqual(["start", "start", "poll"]);
    stop();
    await ended;
  });
});
