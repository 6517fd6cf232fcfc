// docs/reference/WEBHOOK.md shows requests; they are those that the channel makes.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { webhook } from "../../../../src/channels/automation/webhook/webhook.ts";
import type { HttpRequest } from "../../../../src/system/network/http.ts";
import { resolveSecrets } from "../../../../src/system/secrets.ts";
import { systemClock } from "../../../../src/system/clock.ts";
import { localRequest, localTools } from "../../../support/channels/channel-request.ts";

const page = readFileSync(new URL("../../../../docs/reference/WEBHOOK.md", import.meta.url), "utf8");

interface Shown {
  first: string;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

function shownAs(format: string): Shown {
  const block = new RegExp(`^\`\`\`http ${format}\\n([\\s\\S]*?)^\`\`\``, "m").exec(page)?.[1] ?? "";
  const [head = "", ...rest] = block.split("\n\n");
  const [first = "", ...lines] = head.split("\n");
  const headers = Object.fromEntries(lines.map((line) => line.split(/: (.*)/).slice(0, 2) as [string, string]));
  return { first, headers, body: JSON.parse(rest.join("\n\n")) as Record<string, unknown> };
}

async function made(settings: Record<string, unknown>): Promise<Shown> {
  const parsed = webhook.settings.parse({ url: "https://receiver.example/in", ...settings });
  const request = localRequest(
    { fields: [{ label: "project", value: "shop" }] },
    await resolveSecrets(parsed, {}, "/nowhere"),
  );
  const sent: HttpRequest[] = [];
  const tools = localTools({}, "/nowhere", {
    clock: { ...systemClock, now: () => Date.UTC(2026, 10, 21, 12) },
    http: (asked) => {
      sent.push(asked);
      return Promise.resolve({ status: 204, headers: {}, body: "" });
    },
  });
  await webhook.send({ ...request, event: { ...request.event, message: "All tests pass." } }, tools);
  const { method, url = "", headers = {}, body = "" } = sent[0] ?? {};
  const first = `${method} ${new URL(url).pathname}`;
  return { first, headers: { ...headers }, body: JSON.parse(body) as Record<string, unknown> };
}

describe("docs/reference/WEBHOOK.md", () => {
  it("shows what Standard Webhooks' format is", async () => {
    const secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
    const { headers, ...request } = await made({ secret });
    expect({
      ...request,
      headers: { ...headers, "webhook-signature": headers["webhook-signature"]?.replace(/,.*/, ",SIGNATURE") },
    }).toEqual(shownAs("standard"));
  });

  it.each(["cloudevents", "cloudevents-binary"])(
    "shows what the format %s is, but for the data above",
    async (format) => {
      const request = await made({ format });
      const data = (request.body.data ?? request.body) as Record<string, unknown>;
      expect(Object.keys(data)).toEqual(["version", "event", "message"]);
      Object.assign(data, { event: {}, message: {} });
      expect(request).toEqual(shownAs(format));
    },
  );

  it("names no format that there is none of, and each that there is", () => {
    const named = [...page.matchAll(/"format": "([\w-]+)"/g)].map(([, name]) => name);
    for (const format of named) {
      expect(webhook.settings.safeParse({ url: "https://receiver.example/in", format }).error).toBeUndefined();
    }
    expect(new Set(named)).toEqual(new Set(["cloudevents", "cloudevents-binary"]));
  });
});
