import { describe, expect, it } from "vitest";
import { slack } from "../../../../src/channels/chat/slack/slack.ts";
import { everyRow } from "../../../support/rows.ts";

const url = "https://hooks.slack.com/services/T0/B0/x";
const token = "xoxb-1-2-s3cret";

describe("the settings of a Slack channel", () => {
  it("may be what an app or a webhook needs", () =>
    everyRow<object>(
      [
        { url },
        { url: { env: "SLACK" }, update: "new" },
        { token, channel: "C0123456789" },
        { token: { file: "~/slack" }, channel: "#ops", update: "replace" },
        { token, channel: "#ops", appToken: "xapp-1-A0-1-x" },
        { token: "xoxe.xoxb-1-2-x", channel: "U012ABCDEF" },
        { token: "xoxp-1-2-x", channel: "#日本語-ops", apiUrl: "https://slack-gov.com/api" },
      ],
      (settings) => {
        expect(slack.settings.safeParse(settings).error).toBeUndefined();
      },
    ));

  it("may not be less, or a mixture, and say why", () =>
    everyRow<[object, string]>(
      [
        [{}, 'needs "url" (a webhook), or "token" and "channel" (a bot)'],
        [{ channel: "#ops" }, 'needs "url" (a webhook), or "token" and "channel" (a bot)'],
        [{ token }, '"token" needs "channel", too'],
        [{ url, token, channel: "#ops" }, 'expected either "url" or "token", got both'],
        [{ url, channel: "#ops" }, 'goes with "token" only: a webhook has its channel already'],
        [{ url, update: "replace" }, 'goes with "token" only: a webhook cannot edit what it wrote'],
        [{ url, appToken: "xapp-1-A0-s3cret" }, 'goes with "token" only: a webhook brings no answers back'],
        [{ token, channel: "#ops", appToken: token }, "the token is not an app-level one"],
        [{ url, apiUrl: "https://slack-gov.com/api" }, 'goes with "token" only'],
        [{ token: "xapp-1-s3cret", channel: "#ops" }, "is an app-level one"],
        [{ token: "s3cret\r\nx: y", channel: "#ops" }, "is not a bot's token"],
        [{ token, channel: "ops" }, "expected a channel's id"],
        [{ token, channel: "#a b" }, "expected a channel's id"],
      ],
      ([settings, message]) => {
        const { error } = slack.settings.safeParse(settings);
        expect(error?.issues).toHaveLength(1);
        expect(error?.issues[0]?.message).toContain(message);
        expect(JSON.stringify(error?.issues)).not.toContain("s3cret");
      },
      (row) => JSON.stringify(row),
    ));
});
