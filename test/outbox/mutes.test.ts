// The mutes on the disk: which are over, which replaces which, and what is due when one ends.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  addMute,
  endMutes,
  readBuckets,
  readMutes,
  readRinging,
  writeBuckets,
  writeMutes,
  writeRinging,
} from "../../src/outbox/attention.ts";
import { listDeliveries, newDelivery, readDelivery, writeDelivery } from "../../src/outbox/deliveries/deliveries.ts";
import { listJournal, readJournal } from "../../src/outbox/journal.ts";
import type { Layout } from "../../src/outbox/layout.ts";
import { minute, noon } from "../policies/messages.ts";
import { localRequest } from "../support/channels/channel-request.ts";
import { temporaryState } from "../support/project/temporary-state.ts";

const all = { scope: "all", name: "", until: noon + minute } as const;
const project = { scope: "project", name: "shop-web" } as const;

const noted = (layout: Layout) => listJournal(layout).flatMap((file) => readJournal(layout, file));

it("a mute lasts until its end, one without an end until it is ended", () => {
  const layout = temporaryState();
  expect(readMutes(layout, noon)).toEqual([]);
  writeMutes(layout, [all, project]);
  expect(readMutes(layout, noon + minute - 1)).toEqual([all, project]);
  expect(readMutes(layout, noon + minute)).toEqual([project]);
});

it("a file that cannot be read mutes and throttles nothing", () => {
  const layout = temporaryState();
  for (const name of ["mutes.json", "throttles.json", "ringing.json"]) writeFileSync(join(layout.root, name), "torn");
  expect(readMutes(layout, noon)).toEqual([]);
  expect(readBuckets(layout)).toEqual({});
  expect(readRinging(layout)).toEqual([]);
  writeBuckets(layout, { a: noon });
  expect(readBuckets(layout)).toEqual({ a: noon });
  const rung = { channel: "phone", kind: "end" as const, agent: "droid", session: "s1", until: noon };
  writeRinging(layout, [rung]);
  expect(readRinging(layout)).toEqual([rung]);
});

it("a mute replaces one of the same scope and name, and no other", () => {
  const layout = temporaryState();
  addMute(layout, project, noon);
  addMute(layout, { ...project, scope: "agent" }, noon);
  addMute(layout, { ...project, until: noon + minute }, noon);
  expect(readMutes(layout, noon)).toEqual([
    { ...project, scope: "agent" },
    { ...project, until: noon + minute },
  ]);
  expect(noted(layout).map(({ kind }) => kind)).toEqual(["muted", "muted", "muted"]);
});

it("the end of a mute leaves the others, and no file once there is none", () => {
  const layout = temporaryState();
  writeMutes(layout, [all, project]);
  expect(endMutes(layout, [all], noon)).toEqual([]);
  expect(readMutes(layout, noon)).toEqual([project]);
  endMutes(layout, [project], noon);
  expect(existsSync(join(layout.root, "mutes.json"))).toBe(false);
  expect(noted(layout)).toMatchObject([
    { kind: "unmuted", scope: "all" },
    { kind: "unmuted", scope: "project", name: "shop-web" },
  ]);
});

it("what waited for a mute is due when one ends, and nothing else is", () => {
  const layout = temporaryState();
  const { event, message } = localRequest({}, {});
  const base = { kind: "event", rule: "all", event, message, expiresAt: noon + 60 * minute } as const;
  const held = (by: "mute" | "quietHours") => ({ by, until: noon + 30 * minute, why: "held", gather: by });
  const put = (channel: string, hold?: ReturnType<typeof held>) => {
    const delivery = {
      ...newDelivery(noon, { ...base, channel }),
      notBefore: noon + 30 * minute,
      ...(hold && { hold }),
    };
    const file = `${noon}-${delivery.id}.json`;
    writeDelivery(layout, "outbox", file, delivery);
    return file;
  };
  const [muted, quiet, free] = [put("a", held("mute")), put("b", held("quietHours")), put("c")];
  writeFileSync(join(layout.outbox, "1-msg_torn.json"), "torn");
  expect(endMutes(layout, [all], noon)).toEqual([muted]);
  const dueOf = (file: string) => {
    const reading = readDelivery(layout, "outbox", file);
    return reading.status === "read" ? reading.delivery.notBefore : reading.status;
  };
  expect([muted, quiet, free].map(dueOf)).toEqual([noon, noon + 30 * minute, noon + 30 * minute]);
  expect(listDeliveries(layout, "outbox")).toHaveLength(4);
});
