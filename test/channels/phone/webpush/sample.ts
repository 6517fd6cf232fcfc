// What the contract tests need to know about web push.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localRequest } from "../../../support/channels/channel-request.ts";
import { json, type OtherSample, plainForm, pushLimits, pushPieces } from "../../../support/channels/channel-sample.ts";
import { measureBy, structureOf } from "../../../support/channels/shown.ts";
import { devicesIn } from "./pushed-to.ts";

export const sample: OtherSample = {
  settings: () => ({}),
  limits: pushLimits(", as JSON"),
  // A browser shows what it has decrypted.
  show(channel) {
    const measure = measureBy(channel);
    return async ({ message, event }) => {
      const folder = mkdtempSync(join(tmpdir(), "hookbell-push-"));
      try {
        const { tools, requests, received } = devicesIn(folder, ["phone"]);
        const sent = localRequest(message, {});
        const outcome = await channel.send({ ...sent, event: { ...sent.event, ...event } }, tools);
        const [pushed] = received();
        if (outcome.status === "failed" || pushed === undefined) throw new Error(JSON.stringify(outcome));
        const { title, body, tag } = pushed.message;
        const pieces = pushPieces([String(title), String(body)], { whole: pushed.text, message }, json, ", as JSON");
        return {
          forms: plainForm("title", "body")(pushed.message),
          around: [tag, requests.map(({ headers = {} }) => Object.keys(headers)), structureOf(pushed.message)],
          sizes: pieces.map(([what, piece]) => measure(what, piece)),
        };
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    };
  },
};
