// What is known of every setting of a channel: whether it is needed, what may be written, and whether it is a secret.
import { describe, expect, it } from "vitest";
import { channelTypes } from "../support/channels/all-types.ts";
import { holdsSecret, literalSecretsIn } from "../../src/rules/literal-secrets.ts";
import { loadRules } from "../../src/rules/load.ts";
import { settingsOf, type SettingInfo } from "../../src/rules/setting-info.ts";
import { everyRow } from "../support/rows.ts";

function infoOf(type: string): Map<string, SettingInfo> {
  const channelType = channelTypes.find((each) => each.type === type);
  if (channelType === undefined) throw new Error(`no type ${type}`);
  return new Map(settingsOf(channelType).map((info) => [info.key, info]));
}

describe("the settings of every channel type", () => {
  const everyType = (check: (settings: SettingInfo[], channelType: (typeof channelTypes)[number]) => void) =>
    everyRow(
      channelTypes,
      (channelType) => check(settingsOf(channelType), channelType),
      ({ type }) => type,
    );

  it("each say what they mean and what may be written", () =>
    everyType((settings) => {
      for (const { key, meaning, form } of settings) {
        expect(meaning, key).not.toBe("");
        expect(form, key).not.toBe("a value");
        expect(form, key).not.toBe("");
      }
    }));

  it("come with those it needs first, and those that every channel has last", () =>
    everyType((settings) => {
      const ranks = settings.map(({ isRequired, isCommon }) => (isRequired ? 0 : isCommon ? 2 : 1));
      expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
      expect(settings.filter(({ isCommon }) => isCommon).length).toBeGreaterThanOrEqual(3);
    }));

  it("can be left out, those that it does not need", () =>
    everyType((settings, channelType) => {
      const required = settings.filter(({ isRequired }) => isRequired).map(({ key }) => key);
      const issues = channelType.settings.safeParse({}).error?.issues ?? [];
      const missing = issues.map(({ path }) => String(path[0] ?? "")).filter((key) => key !== "");
      expect([...new Set(missing)].sort()).toEqual([...required].sort());
    }));
});

it.each([
  ["email", "smtp", { isRequired: true, isSecret: true, form: "a text, or where to get it" }],
  ["email", "subject", { isRequired: false, form: '"title" or "session"', default: "title" }],
  ["email", "to", { isRequired: true, form: "a text or an array" }],
  ["ntfy", "server", { isRequired: false, hasSources: true, isSecret: false }],
  ["ntfy", "allowHttp", { isRequired: false, form: "true or false" }],
  ["command", "argv", { isRequired: true, form: "an array" }],
  ["desktop", "summary", { isCommon: true, form: "false or a whole number" }],
])("knows of %s that %s is %o", (type, key, expected) => {
  expect(infoOf(type).get(key)).toMatchObject(expected);
});

describe("literal secrets", () => {
  const secretsOf = async (channel: object): Promise<string[][]> => {
    const loaded = await loadRules(JSON.stringify({ channels: { a: channel }, rules: [] }));
    if (loaded.status === "broken") throw new Error(loaded.problems[0]?.message);
    return literalSecretsIn(loaded.rules.channels.a?.settings);
  };

  it.each<[object, string[][]]>([
    [{ type: "ntfy", topic: { env: "T" }, server: "https://ntfy.example.org", token: "Axyz" }, [["token"]]],
    [{ type: "ntfy", topic: { env: "T" }, server: "https://ntfy.example.org" }, []],
    // On a server of one's own that asks for a token, topics are names.
    [{ type: "ntfy", topic: "shop", server: "https://ntfy.example.org" }, [["topic"]]],
    [{ type: "ntfy", topic: "shop", replyTopic: "re", server: "https://n.example.org", token: { env: "T" } }, []],
    [{ type: "ntfy", topic: "shop", token: { env: "T" } }, [["topic"]]],
    [{ type: "slack", url: "https://hooks.slack.com/services/T0/B0/abcdefghijklmnopqrst" }, [["url"]]],
    [{ type: "webhook", url: "http://127.0.0.1:8080/hooks/agents" }, []],
    [{ type: "webhook", url: "https://example.org/hooks/agents" }, [["url"]]],
    [{ type: "discord", url: "https://discord.com/api/webhooks/1/a" }, [["url"]]],
    [
      {
        type: "webhook",
        url: "http://127.0.0.1:8080/hooks/agents",
        headers: { Authorization: "Bearer x", "X-Team": "a" },
      },
      [["headers", "Authorization"]],
    ],
    [{ type: "command", argv: ["x"], env: { MY_TOKEN: "t", LANG: "C" } }, [["env", "MY_TOKEN"]]],
    [{ type: "desktop" }, []],
  ])("in %j stand at %j", async (channel, expected) => {
    expect(await secretsOf(channel)).toEqual(expected);
  });

  it.each([
    ["smtp://me:pw@example.org:587", true],
    ["smtp://localhost:25", false],
    ["https://example.org/?token=abc123def", true],
    ["https://example.org/hooks", true],
    ["https://example.org/", false],
    ["https://me@example.org", true],
    ["http://localhost:8080/hooks/agents", false],
    ["http://[::1]/hook/s3cretToken1234567", true],
    ["hunter2", true],
  ])("%s: %s", (value, expected) => {
    expect(holdsSecret(value)).toBe(expected);
  });

  it("are warned of at their place, and the value is not repeated", async () => {
    const text =
      '{ "channels": { "a": { "type": "ntfy", "server": "https://n.example.org", "topic": "Axyz123" } },\n  "rules": [{ "notify": ["a"] }] }';
    const loaded = await loadRules(text);
    expect(loaded.status).toBe("good");
    expect(loaded.warnings).toHaveLength(1);
    const [{ path, offset = 0, length = 0, hint } = { path: "" }] = loaded.warnings;
    expect(path).toBe("channels.a.topic");
    expect(text.slice(offset, offset + length)).toBe('"Axyz123"');
    expect(hint).toContain('{ "env": NAME }');
    expect(JSON.stringify(loaded.warnings)).not.toContain("Axyz123");
  });
});

describe("http:// to another machine", () => {
  it.each([
    ['"type": "webhook", "url": "http://example.org/hook"', "broken"],
    ['"type": "webhook", "url": "http://example.org/hook", "allowHttp": false', "broken"],
    ['"type": "webhook", "url": "http://example.org/hook", "allowHttp": true', "good"],
    ['"type": "webhook", "url": "http://127.0.0.1:8080/hook"', "good"],
    ['"type": "webhook", "url": "http://localhost/hook"', "good"],
    ['"type": "ntfy", "topic": "x", "server": "HTTP://192.168.1.2"', "broken"],
    ['"type": "matrix", "room": "!a:b", "token": { "env": "T" }, "homeserver": "http://m.lan"', "broken"],
  ])("%s is %s", async (channel, status) => {
    expect((await loadRules(`{ "channels": { "a": { ${channel} } }, "rules": [{ "notify": ["a"] }] }`)).status).toBe(
      status,
    );
  });
});
