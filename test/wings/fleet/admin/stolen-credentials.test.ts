import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { headers, type NatsConnection } from "@nats-io/transport-node";
import { beforeEach, expect, it } from "vitest";
import { isDenied } from "../../../../src/wings/fleet/admin/broker.ts";
import { buckets, consumerName, eventSubject, inboxPrefix } from "../../../../src/wings/fleet/names.ts";
import { type SmallFleet, startSmallFleet } from "../../../support/fleet/small-fleet.ts";
import { describeWithParts } from "../../../support/parts.ts";

const box = { org: "acme", person: "ada", host: "box" };
const laptop = { org: "acme", person: "ada", host: "laptop" };
const stranger = { org: "acme", person: "bob", host: "pc" };

/** The keys of Ada's box, of Ada's laptop and of Bob's computer, in each bucket. */
const keysOf = (bucket: string) =>
  [box, laptop, stranger].map(
    ({ person, host }) => `$KV.${bucket}.${person}.${host}${bucket === "presence" ? "" : ".e1"}`,
  );

/** "done" if the broker stored it, "denied" if it refused the subject, otherwise its error. */
async function tryTo(what: () => Promise<unknown>): Promise<string> {
  try {
    await what();
    return "done";
  } catch (error) {
    return isDenied(error) ? "denied" : String(error);
  }
}

describeWithParts("stolen credentials, with the plain client", ["nats-server"], () => {
  let fleet: SmallFleet;
  beforeEach(async () => {
    fleet = await startSmallFleet();
    const admin = jetstream(fleet.admin);
    for (const member of [laptop, stranger]) await admin.publish(eventSubject(member, "e1"), `event of ${member.host}`);
    for (const bucket of Object.keys(buckets)) {
      const [, ...others] = keysOf(bucket);
      for (const subject of others) await admin.publish(subject, `entry ${subject}`);
    }
  });

  /** Every message on the broker, as `subject: text`. */
  async function everything(): Promise<string[]> {
    const found: string[] = [];
    for (const stream of ["EVENTS", ...Object.keys(buckets).map((name) => `KV_${name}`)]) {
      const { state } = await fleet.manager.streams.info(stream);
      for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
        const message = await fleet.manager.streams.getMessage(stream, { seq });
        if (message !== null) found.push(`${message.subject}: ${message.string()}`);
      }
    }
    return found.toSorted();
  }

  it("of a host publish its own events and entries, and nothing else", async () => {
    const thief = await fleet.connectAs("host", "ada", "box");
    const js = jetstream(thief);
    const tries = [box, laptop, stranger].map(
      async (as) => await tryTo(async () => await js.publish(eventSubject(as, "forged"), "x")),
    );
    expect(await Promise.all(tries)).toEqual(["done", "denied", "denied"]);
    for (const bucket of Object.keys(buckets)) {
      const done = keysOf(bucket).map(async (subject) => await tryTo(async () => await js.publish(subject, "forged")));
      expect([bucket, ...(await Promise.all(done))]).toEqual([bucket, "done", "denied", "denied"]);
    }
    const other = [
      "hb.other.ada.box.e",
      "hb.acme.ada.box.e.more",
      "hb.acme.ada",
      "$KV.presence.ada",
      "EVENTS",
      "_INBOX.ada.laptop.x",
    ];
    for (const subject of other)
      expect([subject, await tryTo(async () => await js.publish(subject, "x"))]).toEqual([subject, "denied"]);
  });

  it("of a device reach no other person", async () => {
    const thief = await fleet.connectAs("device", "ada", "box");
    const js = jetstream(thief);
    expect(await tryTo(async () => await js.publish(eventSubject(stranger, "e"), "x"))).toBe("denied");
    expect(await tryTo(async () => await js.publish(eventSubject(laptop, "e"), "x"))).toBe("denied");
    const allowed = { presence: "denied", sessions: "denied", questions: "denied", claims: "done", answers: "done" };
    for (const [bucket, ofPerson] of Object.entries(allowed)) {
      const [own = "", sibling = "", foreign = ""] = keysOf(bucket);
      const done = [own, sibling, foreign].map(
        async (subject) => await tryTo(async () => await js.publish(subject, "x")),
      );
      expect([bucket, ...(await Promise.all(done))]).toEqual([bucket, "done", ofPerson, "denied"]);
    }
    const manager = await jetstreamManager(thief, { checkAPI: false });
    const read = async (stream: string, filter: string, name: string) =>
      await tryTo(
        async () => await manager.consumers.add(stream, { name, durable_name: name, filter_subject: filter }),
      );
    const own = consumerName(box);
    expect(await read("EVENTS", "hb.acme.ada.>", own)).toBe("done");
    for (const [filter, name] of [
      ["hb.acme.bob.>", own],
      ["hb.acme.>", own],
      ["hb.>", own],
      ["hb.acme.ada.>", consumerName(laptop)],
      ["hb.acme.ada.>", "serve"],
    ] as const)
      expect([filter, name, await read("EVENTS", filter, name)]).toEqual([filter, name, "denied"]);
  });

  it("of a server read the events of everyone, and no entry, and publish nothing", async () => {
    const thief = await fleet.connectAs("server", "ops", "serve");
    const js = jetstream(thief);
    const before = await everything();
    const own = { org: "acme", person: "ops", host: "serve" };
    for (const member of [own, box, laptop, stranger])
      expect(await tryTo(async () => await js.publish(eventSubject(member, "forged"), "x"))).toBe("denied");
    for (const bucket of Object.keys(buckets))
      for (const subject of [`$KV.${bucket}.ops.serve`, `$KV.${bucket}.ops.serve.e1`, ...keysOf(bucket)])
        expect([subject, await tryTo(async () => await js.publish(subject, "x"))]).toEqual([subject, "denied"]);
    const manager = await jetstreamManager(thief, { checkAPI: false });
    const add = async (stream: string, name: string, filter: string) =>
      await tryTo(async () => await manager.consumers.add(stream, { durable_name: name, filter_subject: filter }));
    expect(await add("EVENTS", "serve", "hb.acme.>")).toBe("done");
    for (const [stream, name, filter] of [
      ["EVENTS", "other", "hb.acme.>"],
      ["EVENTS", consumerName(laptop), "hb.acme.ada.>"],
      ...Object.keys(buckets).map((bucket) => [`KV_${bucket}`, "serve", `$KV.${bucket}.>`] as const),
    ] as const)
      expect([stream, name, await add(stream, name, filter)]).toEqual([stream, name, "denied"]);
    const consumer = await js.consumers.get("EVENTS", "serve");
    const read = [await consumer.next(), await consumer.next()].map((message) => message?.string());
    expect(read).toEqual(["event of laptop", "event of pc"]);
    expect(await everything()).toEqual(before);
  });

  it("read no entry of others, whatever the way", async () => {
    const thief = await fleet.connectAs("host", "ada", "box");
    const manager = await jetstreamManager(thief, { checkAPI: false });
    const read = async (bucket: string, filter: string) =>
      await tryTo(
        async () =>
          await manager.consumers.add(`KV_${bucket}`, { name: "n", filter_subject: filter, inactive_threshold: 1e9 }),
      );
    expect(await read("answers", "$KV.answers.ada.box.>")).toBe("done");
    for (const bucket of Object.keys(buckets)) {
      for (const filter of [">", "ada.>", "ada.laptop.>", "bob.>", "*.*.*"].map((keys) => `$KV.${bucket}.${keys}`))
        expect([filter, await read(bucket, filter)]).toEqual([filter, "denied"]);
    }
    // A right in the subject, and another wish in the request.
    const create = "$JS.API.CONSUMER.CREATE.KV_answers.n2.$KV.answers.ada.box.>";
    for (const config of [{ filter_subject: "$KV.answers.>" }, { filter_subjects: ["$KV.answers.>"] }, {}]) {
      const request = JSON.stringify({ stream_name: "KV_answers", config: { name: "n2", ...config } });
      const said = (await thief.request(create, request)).json<{ error?: object; config?: object }>();
      expect([config, said.config, typeof said.error]).toEqual([config, undefined, "object"]);
    }
    const requests = [
      "STREAM.MSG.GET.EVENTS",
      "STREAM.MSG.GET.KV_answers",
      "DIRECT.GET.KV_answers",
      "DIRECT.GET.KV_answers.$KV.answers.ada.box.e1",
      "DIRECT.GET.KV_answers.$KV.answers.bob.pc.e1",
      "STREAM.INFO.EVENTS",
      "STREAM.NAMES",
      "STREAM.LIST",
      "STREAM.UPDATE.EVENTS",
      "STREAM.CREATE.OWN",
      "STREAM.PURGE.EVENTS",
      "STREAM.DELETE.EVENTS",
      "STREAM.MSG.DELETE.EVENTS",
      "STREAM.SNAPSHOT.EVENTS",
      "CONSUMER.NAMES.EVENTS",
      "CONSUMER.LIST.EVENTS",
      "CONSUMER.CREATE.EVENTS",
      "CONSUMER.CREATE.EVENTS.n",
      "CONSUMER.DURABLE.CREATE.EVENTS.n",
      "CONSUMER.CREATE.KV_answers",
      "CONSUMER.DURABLE.CREATE.KV_answers.n",
      `CONSUMER.MSG.NEXT.EVENTS.${consumerName(laptop)}`,
      `CONSUMER.INFO.EVENTS.${consumerName(laptop)}`,
      "INFO",
    ];
    for (const request of requests)
      expect([request, await tryTo(async () => await thief.request(`$JS.API.${request}`, '{"seq":1}'))]).toEqual([
        request,
        "denied",
      ]);
    for (const subject of [">", "hb.>", "$KV.>", "$JS.>", "_INBOX.>", "_INBOX.ada.>", "_INBOX.ada.laptop.>", "$SYS.>"])
      expect([subject, await canListen(thief, subject)]).toEqual([subject, false]);
    expect(await canListen(thief, `${inboxPrefix(box)}.>`)).toBe(true);
  });

  it("make the server write no text of the thief's choice under another's name", async () => {
    const before = await everything();
    const thief = await fleet.connectAs("device", "ada", "box");
    const js = jetstream(thief);
    await js.publish(eventSubject(box, "e1"), "forged");
    await js.publish("$KV.claims.ada.box.e1", "forged");
    const targets = [
      eventSubject(stranger, "e1"),
      "$KV.presence.bob.pc",
      "$KV.answers.bob.pc.e1",
      "$KV.presence.ada.laptop",
    ];
    const manager = await jetstreamManager(thief, { checkAPI: false });
    const name = consumerName(box);
    await manager.consumers.add("EVENTS", {
      name,
      durable_name: name,
      filter_subject: "hb.acme.ada.>",
      ack_policy: "none",
    });
    for (const [index, reply] of targets.entries()) {
      // The broker sends its own answer to any subject: to a publish, a wrong request, and one for the next message.
      thief.publish(eventSubject(box, `p${index}`), "forged", { reply });
      const config = { name: `w${index}`, filter_subject: "$KV.claims.ada.>", description: "forged" };
      const create = `$JS.API.CONSUMER.CREATE.KV_claims.${config.name}.${config.filter_subject}`;
      thief.publish(create, JSON.stringify({ stream_name: "KV_claims", config }), { reply });
      thief.publish(`$JS.API.CONSUMER.MSG.NEXT.EVENTS.${name}`, "1", { reply });
      const push = {
        name: `p${index}`,
        filter_subject: "$KV.claims.ada.box.>",
        deliver_subject: reply,
        ack_policy: "none",
      };
      await thief.request(
        `$JS.API.CONSUMER.CREATE.KV_claims.p${index}.$KV.claims.ada.box.>`,
        JSON.stringify({ stream_name: "KV_claims", config: push }),
      );
    }
    await js.publish(eventSubject(box, "last"), "forged");
    await expect.poll(async () => (await everything()).length).toBeGreaterThan(before.length + targets.length * 2);
    const after = await everything();
    const ofOthers = after.filter(
      (line) => !/^(?:hb\.acme|\$KV\.\w+)\.ada\.box\b/.test(line) && !before.includes(line),
    );
    // What is left is JSON of the broker's own form, which readers take for nothing.
    expect(ofOthers).not.toEqual([]);
    for (const line of ofOthers) {
      const said = JSON.parse(line.slice(line.indexOf(": ") + 2)) as Record<string, unknown>;
      expect(said.type ?? Object.keys(said)).toEqual(
        typeof said.type === "string" ? expect.stringMatching(/^io\.nats\.jetstream\./) : ["stream", "seq"],
      );
    }
  });

  it("empty no bucket", async () => {
    const thief = await fleet.connectAs("device", "ada", "box");
    const rollup = headers();
    rollup.set("Nats-Rollup", "all");
    const before = await everything();
    await expect(jetstream(thief).publish("$KV.claims.ada.box.e1", "x", { headers: rollup })).rejects.toThrow(
      "rollup not permitted",
    );
    expect(await everything()).toEqual(before);
  });
});

async function canListen(connection: NatsConnection, subject: string): Promise<boolean> {
  let isRefused = false;
  connection.subscribe(subject, { callback: (error) => void (isRefused ||= error !== null) });
  await connection.flush();
  return !isRefused;
}
