import { expect, it } from "vitest";
import type { Question } from "../../../src/answers/questions.ts";
import { routesOf, type Surroundings, whyElsewhere } from "../../../src/pipeline/answers/route.ts";
import type { Dispatcher } from "../../../src/pipeline/dispatcher.ts";
import { loadRules } from "../../../src/rules/load.ts";
import type { Rules } from "../../../src/rules/rules.ts";
import { everyRow } from "../../support/rows.ts";

const bot = { type: "telegram", token: { env: "BOT" }, chat: 77, answers: true };

async function rulesWith(more: object = {}): Promise<Rules> {
  const channels = { phone: { ...bot, ...more }, screen: { type: "desktop", answers: true } };
  const loaded = await loadRules(JSON.stringify({ answers: {}, channels, rules: [] }));
  if (loaded.status !== "good") throw new Error(JSON.stringify(loaded.problems));
  return loaded.rules;
}

const rules = await rulesWith();
const stateDir = "/home/u/.local/state/hookbell";
const places = { home: "/home/u", rulesFile: "/home/u/.config/hookbell/rules.jsonc", stateDir };

/** What stops the channel's answers if the hook runs in one environment and the dispatcher in another. */
function between(
  channel: "phone" | "screen",
  hook: Surroundings["env"],
  dispatcher: Surroundings["env"],
  { own = rules, ...there }: Partial<Surroundings> & { own?: Rules } = {},
): string | undefined {
  const routes = routesOf(rules.channels, { ...places, env: hook });
  const { rulesFile, ...folders } = { ...places, ...there };
  const tools = { env: dispatcher, ...folders } as Dispatcher["tools"];
  const found = own.channels[channel];
  if (found === undefined) throw new Error("no channel");
  return whyElsewhere({ rulesFile, tools }, { routes } as Question, found);
}

const ownBus = `/run/user/${process.getuid?.()}/bus`;
const proxy = "http://proxy.example:3128";

it("the channel carries the answer where hook and dispatcher mean the same place", () =>
  everyRow(
    [
      ["both in the same terminal", "screen", { DBUS_SESSION_BUS_ADDRESS: "unix:path=/tmp/dbus-1" }, undefined],
      [
        "a hook over SSH, a dispatcher at the desktop (posix)",
        "screen",
        {},
        { DBUS_SESSION_BUS_ADDRESS: `unix:path=${ownBus}` },
      ],
      [
        "a hook at the desktop, a dispatcher over SSH",
        "screen",
        { DBUS_SESSION_BUS_ADDRESS: "unix:path=/tmp/dbus-1" },
        {},
      ],
      ["a hook in a snap (posix)", "screen", { XDG_RUNTIME_DIR: `/run/user/${process.getuid?.()}/snap.code` }, {}],
      [
        "a login service without the shell's proxy",
        "phone",
        { https_proxy: proxy, NODE_EXTRA_CA_CERTS: "/ca.pem" },
        {},
      ],
      ["the same proxy, written otherwise", "phone", { https_proxy: proxy }, { HTTPS_PROXY: proxy }],
      ["exceptions from no proxy", "phone", {}, { no_proxy: "localhost" }],
      ["a secret that only a login service has", "phone", {}, { BOT: "123:abc" }],
      ["another bus, which a phone does not use", "phone", {}, { DBUS_SESSION_BUS_ADDRESS: "unix:path=/tmp/dbus-1" }],
      ["another proxy, which a desktop does not use", "screen", {}, { https_proxy: proxy }],
    ] as const,
    ([_, channel, hook, dispatcher]) => {
      expect(between(channel, hook, dispatcher ?? hook)).toBeUndefined();
    },
  ));

const otherWay = "the dispatcher has another session bus, proxy or certificate than the hook that asks";
const otherRules = "the dispatcher has other rules or another state folder than the hook that asks";

it("no answer comes from a place of the dispatcher's own", () =>
  everyRow(
    [
      ["a bus", "screen", {}, { DBUS_SESSION_BUS_ADDRESS: "unix:path=/tmp/dbus-1" }],
      ["a bus beside the login's", "screen", {}, { DBUS_SESSION_BUS_ADDRESS: `unix:path=/tmp/x;path=${ownBus}` }],
      ["a runtime folder", "screen", {}, { XDG_RUNTIME_DIR: "/tmp/x" }],
      ["a proxy", "phone", {}, { http_proxy: "http://127.0.0.1:9" }],
      ["another proxy", "phone", { https_proxy: proxy }, { https_proxy: "http://127.0.0.1:9" }],
      ["a certificate", "phone", {}, { NODE_EXTRA_CA_CERTS: "/tmp/ca.pem" }],
      ["no certificates at all", "phone", {}, { NODE_TLS_REJECT_UNAUTHORIZED: "0" }],
      ["names of its own", "phone", {}, { HOSTALIASES: "/tmp/names" }],
    ] as const,
    ([_, channel, hook, dispatcher]) => {
      expect(between(channel, hook, dispatcher)).toBe(otherWay);
    },
  ));

it("other rules, another home or state folder, other settings or another secret: no answer comes from there", async () => {
  expect(between("screen", {}, {}, { rulesFile: "/tmp/rules.jsonc" })).toBe(otherRules);
  expect(between("screen", {}, {}, { home: "/tmp" })).toBe(otherRules);
  expect(between("phone", {}, {}, { stateDir: "/tmp/state" })).toBe(otherRules);
  expect(between("phone", {}, {}, { own: await rulesWith({ apiUrl: "https://127.0.0.1:9" }) })).toBe(otherRules);
  const secret = between("phone", { BOT: "123:abc" }, { BOT: "123:other" });
  expect(secret).toBe("the dispatcher has another value of BOT than the hook that asks");
});

it("no secret and no address is in what the question keeps", () => {
  const env = { BOT: "123:abc", https_proxy: proxy, DBUS_SESSION_BUS_ADDRESS: "unix:path=/tmp/dbus-1" };
  const kept = JSON.stringify(routesOf(rules.channels, { ...places, env }));
  for (const value of ["123:abc", "proxy.example", "dbus-1", "/home/u"]) expect(kept).not.toContain(value);
});
