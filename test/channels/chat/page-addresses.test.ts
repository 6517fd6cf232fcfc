// The address of a chat's page in place of its webhook's: noticed when the rules are read, and when it comes from elsewhere.
import { expect, it } from "vitest";
import { sendSample } from "../../../src/commands/send/sample.ts";
import { loadRules } from "../../../src/rules/load.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";
import { everyRow } from "../../support/rows.ts";

const pages: [type: string, url: string, fix: RegExp][] = [
  ["slack", "https://app.slack.com/client/T012AB3C4/C012AB3C4", /hooks\.slack\.com\/services.*Incoming Webhooks/],
  ["slack", "https://acme.slack.com/archives/C012AB3C4/p1700000000000000", /Incoming Webhooks/],
  ["slack", "https://api.slack.com/apps/A012AB3C4/incoming-webhooks", /Incoming Webhooks/],
  ["slack", "https://join.slack.com/t/acme/shared_invite/zt-1", /Incoming Webhooks/],
  ["discord", "https://discord.com/channels/123456789012345678/123456789012345678", /under Integrations/],
  ["discord", "https://discord.gg/abcdef", /under Integrations/],
  ["teams", "https://teams.microsoft.com/l/channel/19%3aabc%40thread.tacv2/General", /Workflows/],
  ["teams", "https://make.powerautomate.com/environments/Default-1/flows/2/details", /Workflows/],
  ["google-chat", "https://chat.google.com/room/AAAAabcdefg?cls=7", /Apps & integrations/],
  ["google-chat", "https://mail.google.com/chat/u/0/#chat/space/AAAAabcdefg", /Apps & integrations/],
  ["mattermost", "https://chat.example.org/acme/channels/town-square", /Incoming Webhooks/],
  ["mattermost", "https://chat.example.org/acme/pl/8xyf3zmz3fr5mdr8kcbqmmzw5h", /Incoming Webhooks/],
  ["mattermost", "https://chat.example.org/sub/acme/integrations/incoming_webhooks", /Incoming Webhooks/],
];

const webhooks: [type: string, url: string][] = [
  ["slack", "https://hooks.slack.com/services/T012AB3C4/B012AB3C4/abcdefghijklmnop"],
  ["slack", "https://hooks.slack-gov.com/services/T012AB3C4/B012AB3C4/abcdefghijklmnop"],
  ["slack", "https://proxy.example.org/slack/services/T012AB3C4"],
  ["discord", "https://discord.com/api/webhooks/123456789012345678/abc"],
  ["teams", "https://prod-12.westus.logic.azure.com:443/workflows/1/triggers/manual/paths/invoke?sig=x"],
  ["google-chat", "https://chat.googleapis.com/v1/spaces/AAAA/messages?key=k&token=t"],
  ["mattermost", "https://chat.example.org/hooks/8xyf3zmz3fr5mdr8kcbqmmzw5h"],
  ["mattermost", "https://chat.example.org/channels/hooks/8xyf3zmz3fr5mdr8kcbqmmzw5h"],
];

async function problemsOf(type: string, url: unknown): Promise<string[]> {
  const loaded = await loadRules(JSON.stringify({ channels: { team: { type, url } }, rules: [{ notify: ["team"] }] }));
  return loaded.status === "broken" ? loaded.problems.map(({ message }) => message) : [];
}

it("is a mistake that says what to copy", () =>
  everyRow(
    pages,
    async ([type, url, fix]) => {
      const [problem = "no problem"] = await problemsOf(type, url);
      expect(problem).toMatch(/^the URL is .*not a (?:webhook|workflow)'s/);
      expect(problem).toMatch(fix);
      expect(problem).not.toContain(url);
    },
    ([type, url]) => `${type} ${url}`,
  ));

it("is not what a webhook's own address is taken for", () =>
  everyRow(
    webhooks,
    async ([type, url]) => {
      expect(await problemsOf(type, url)).toEqual([]);
    },
    ([type, url]) => `${type} ${url}`,
  ));

it("is noticed without a request, where a variable holds it", () =>
  everyRow(
    pages,
    async ([type, url, fix]) => {
      const { dispatcher, writeRules } = prepareDispatcher({ TEAM_URL: url });
      writeRules({ channels: { team: { type, url: { env: "TEAM_URL" } } }, rules: [{ notify: ["team"] }] });
      await dispatcher.rereadRules();
      dispatcher.tools.http = () => Promise.reject(new Error("it sent a request"));
      const channel = dispatcher.rules().rules.channels.team;
      if (channel === undefined) throw new Error("there is no channel");
      const { outcome } = await sendSample(dispatcher, channel);
      expect(outcome).toMatchObject({ status: "failed", detail: expect.stringMatching(fix) });
    },
    ([type, url]) => `${type} ${url}`,
  ));
