// A daemon's notification has the button "Allow" only where its screen shows all of the call.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { visible } from "../../../../src/answers/card/card.ts";
import { desktop } from "../../../../src/channels/local/desktop/desktop.ts";
import { notificationOf } from "../../../../src/channels/local/desktop/show.ts";
import type { DesktopSettings } from "../../../../src/channels/local/desktop/appearance.ts";
import type { ChannelType, SendRequest } from "../../../../src/channels/channel-type.ts";
import { allOf, askOn, hidingCalls, type HidingCall } from "../../../support/channels/hiding-texts.ts";
import { localRequest } from "../../../support/channels/channel-request.ts";
import { readPango, readPlain, type Seen } from "../../../support/channels/read-markup.ts";

const type: ChannelType = { ...desktop, type: "desktop", summary: "" };

/** Measured with the daemons' default settings and hookbell's icon; GNOME's number is in the source of its shell. */
const servers = [
  { name: "dunst", capabilities: ["body", "actions"], read: readPango, rows: 20, columns: 27 },
  { name: "mako", capabilities: ["body", "body-markup", "actions"], read: readPango, rows: 4, columns: 35 },
  { name: "gnome-shell", capabilities: ["body", "body-markup", "actions"], read: readPango, rows: 6, columns: 60 },
  {
    name: "Xfce Notify Daemon",
    capabilities: ["body", "body-markup", "actions"],
    read: readPango,
    rows: 5,
    columns: 37,
  },
  {
    name: "Notification Daemon",
    capabilities: ["body", "body-markup", "actions"],
    read: readPango,
    rows: 54,
    columns: 32,
  },
  { name: "unheard of", capabilities: ["body", "actions"], read: readPlain, rows: 6, columns: 37 },
];

describe.each(servers)("a question on $name", ({ name, capabilities, read, rows, columns }) => {
  const show = (call: HidingCall): { labels: string[]; seen: Seen; parts: string[] } => {
    const { question, shown } = askOn(type, call);
    const request = localRequest(shown.message, desktop.settings.parse({}));
    const asked = { ...request, question: shown.asked } as SendRequest<DesktopSettings>;
    const { body, actions } = notificationOf(asked, { name, version: "1", capabilities, identity: "", owner: "" });
    return { labels: actions.map(({ label }) => label), seen: read(body), parts: allOf(question, visible) };
  };

  it('has "Allow" only below all of the call', () => {
    let allowed = 0;
    fc.assert(
      fc.property(hidingCalls, (call) => {
        const { labels, seen, parts } = show(call);
        expect(labels).toContain("Deny");
        expect(seen.marks).toEqual([]);
        if (!labels.includes("Allow")) return;
        allowed += 1;
        const lines = seen.text.replaceAll("\u200B", "").split("\n");
        const used = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil([...line].length / columns)), 0);
        expect(used).toBeLessThanOrEqual(rows);
        for (const part of parts) expect(lines.join("\n")).toContain(part);
      }),
      { seed: 18, numRuns: 40 },
    );
    expect(allowed).toBeGreaterThan(0);
  });

  it("has it for an ordinary command", () => {
    const { labels } = show({ command: "npm run test -- --watch", tool: "Bash", cwd: "/home/u/shop-web" });
    expect(labels).toEqual(["Allow", "Deny"]);
  });

  it("shows a sign of a script outside everyday use by its number, and all of the command where it has it", () => {
    const command = `npm test ${"𒐫".repeat(60)}; rm -rf ~`;
    const { labels, seen } = show({ command, tool: "Bash", cwd: "/home/u/shop-web" });
    expect(seen.text).toContain("⟨U+1242B, 60 times⟩");
    expect(!labels.includes("Allow") || seen.text.includes("; rm -rf ~")).toBe(true);
  });

  it.each(["﷽", "⸻", "ཧཱུྃ", "Ǆ"])("does not have it below signs of which a font may be larger: %s", (sign) => {
    const command = `npm test ${sign.repeat(60)}; rm -rf ~`;
    expect(show({ command, tool: "Bash", cwd: "/home/u/shop-web" }).labels).toEqual(["Deny"]);
  });

  it.each([
    ["quotation marks", `echo ${'"'.repeat(152)}; rm -rf ~`],
    ["54 lines", `true\n${":\n".repeat(54)}rm -rf ~`],
  ])("does not have it where %s push the end off the screen", (_what, command) => {
    const { labels, seen } = show({ command, tool: "Bash", cwd: "/home/u/shop-web" });
    if (labels.includes("Allow")) expect(seen.text).toContain("rm -rf ~");
    else expect(seen.text).toMatch(/characters left out[^]*rm -rf ~/);
  });
});
