import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { give } from "../../../src/answers/give-answer.ts";
import { writeSession } from "../../../src/outbox/sessions.ts";
import { openQuestion } from "../../answers/sample.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";
import { recordOf } from "../../support/project/session-record.ts";

const token = "xoxb-1111-2222-s3cretTokenOfSlackBot";
const appToken = "xapp-1-A0-1111-s3cretTokenOfSlackApp";
const pushoverToken = "azGDORePK8gMaC0QOYAMyEEuzJnyUi";

it("a token that its server repeats is in no file: of a closed card, a listener, a withdrawal, a receipt", async () => {
  const running = prepareDispatcher();
  const { layout, tools } = running.dispatcher;
  tools.http = ({ url, headers }) => {
    const said = `bad token ${headers?.authorization ?? url}`;
    const body = url.includes("receipts/r.json")
      ? { status: 1, acknowledged: 1, acknowledged_by_device: said }
      : { ok: false, error: said, status: 1 };
    if (url.includes("cancel_by_tag")) return Promise.resolve({ failure: "network", detail: said });
    return Promise.resolve({ status: 200, headers: {}, body: JSON.stringify(body) });
  };
  running.writeRules({
    answers: { allow: ["Bash"], hold: "always" },
    channels: {
      team: { type: "slack", token, appToken, channel: "#agents", answers: true },
      phone: { type: "pushover", token: pushoverToken, user: "uQiRzpo4DXghDmr9QzzfQu27cmVRsG", emergency: true },
    },
    rules: [
      {
        name: "asks",
        when: { event: "PermissionRequest" },
        notify: ["phone"],
        escalate: [{ after: "1m", notify: ["team"] }],
      },
    ],
  });
  const now = running.clock.now();
  const shown = [{ channel: "team", place: { channel: "C1", ts: "1.2" } }];
  const routes = await running.routes();
  const asked = { host: "testhost", shown, askedAt: now, expiresAt: now + 60_000, routes };
  const ended = openQuestion(layout, { ...asked, id: "1-1-1" });
  openQuestion(layout, { ...asked, id: "1-1-2" });
  give(layout, ended, { choice: "none", by: "answered at the terminal", at: now });
  running.accept("PermissionRequest", { session_id: "s1" });
  const remembered = { phone: { receipt: "r", tag: "t" } };
  writeSession(layout, recordOf({ agent: "generic", session: "s1", lastSeenAt: 1, remembered }));
  void running.run();
  const titles = (): unknown[] => running.journal("notice").map(({ title }) => title);
  for (const title of ["not closed", "no answers", "not withdrawn"]) {
    await running.until(title, () => titles().includes(title));
  }
  running.stop();
  const files = readdirSync(layout.root, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  for (const { parentPath, name } of files) {
    if (name.startsWith("rules.last-good")) continue;
    const text = readFileSync(join(parentPath, name), "utf8");
    for (const secret of [token, appToken, pushoverToken]) expect(text, name).not.toContain(secret);
  }
});
