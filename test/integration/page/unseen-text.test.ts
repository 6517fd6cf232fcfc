// The page shows no character that cannot be seen, in whichever text of an event it stands.
import { expect, it } from "vitest";
import { textOfCall } from "../../../src/answers/card/card.ts";
import { writeSession } from "../../../src/outbox/sessions.ts";
import { openQuestion } from "../../answers/sample.ts";
import { rawUnseen } from "../../support/channels/unseen-texts.ts";
import { describeWithParts } from "../../support/parts.ts";
import { payloadOf, temporaryProject } from "../../support/project/running-project.ts";
import { recordOf } from "../../support/project/session-record.ts";
import { browserParts, openBrowser, openContext, servePage, sizes } from "../../support/usage/browser.ts";

const text = (words: string): string => `${words}\u200B${"\u2800".repeat(36)}\uFFFC\u3164\u202E\u00AD\u{E0041}-end`;

describeWithParts("the page in a browser", browserParts, () => {
  it("leaves nothing unseen on any tab", async () => {
    const project = temporaryProject();
    project.writeRules({
      answers: { allow: ["Bash(touch *)"], hold: "always" },
      channels: { log: { type: "command", argv: ["false"] } },
      rules: [{ name: "all", when: { event: ["Stop", "PermissionRequest"] }, notify: ["log"] }],
    });
    const facts = { cwd: `/home/u/${text("shop")}`, message: text("message"), last_assistant_message: text("said") };
    await project.hook(payloadOf("Stop", { ...facts, session_id: text("s1") }));
    const call = { tool_name: text("Tool"), tool_input: { command: text("rm") } };
    await project.hook(payloadOf("PermissionRequest", { ...facts, ...call, session_id: text("s2") }));
    await project.until("two attempts", () => project.journal().filter(({ kind }) => kind === "attempt").length >= 2);
    const other = {
      agent: text("agent"),
      session: text("s3"),
      project: text("p"),
      branch: text("b"),
      folder: text("f"),
    };
    writeSession(project.layout, recordOf(other));
    openQuestion(project.layout, { tool: text("Tool"), cwd: facts.cwd, ...textOfCall(call.tool_input) });

    const { pairedTab } = await servePage(project);
    const tab = await pairedTab(await openContext(await openBrowser(), sizes.desk), ["read", "answer", "administer"]);
    for (const name of ["Now", "Why", "Deliveries", "What if"]) {
      await tab.getByRole("link", { name }).first().click();
      if (name === "Now" || name === "Why") await tab.getByText("⟨U+2800, 36 times⟩").first().waitFor();
      // In one look, since a part of the page may go meanwhile.
      const labels = await tab
        .locator("[aria-label]")
        .evaluateAll((all) => all.map((each) => each.getAttribute("aria-label")));
      const shown = [await tab.title(), await tab.locator("body").innerText(), ...labels].join("\n");
      expect(shown.split("\n").filter((line) => rawUnseen.test(line))).toEqual([]);
    }
  });
});
