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

type Server = (typeof servers)[number];

/** The question that a call asks: storing it takes longer than showing it. */
function ask(call: HidingCall): { request: SendRequest<DesktopSettings>; parts: string[] } {
  const { question, shown } = askOn(type, call);
  const request = localRequest(shown.message, desktop.settings.parse({}));
  return {
    request: { ...request, question: shown.asked } as SendRequest<DesktopSettings>,
    parts: allOf(question, visible),
  };
}

function showOn(
  { name, capabilities, read }: Server,
  request: SendRequest<DesktopSettings>,
): { labels: string[]; seen: Seen } {
  const { body, actions } = notificationOf(request, { name, version: "1", capabilities, identity: "", owner: "" });
  return { labels: actions.map(({ label }) => label), seen: read(body) };
}

it('a question on any of them has "Allow" only below all of the call', () => {
  const allowed = new Set<string>();
  fc.assert(
    fc.property(hidingCalls, (call) => {
      const { request, parts } = ask(call);
      for (const server of servers) {
        const { labels, seen } = showOn(server, request);
        expect(labels, server.name).toContain("Deny");
        expect(seen.marks, server.name).toEqual([]);
        if (!labels.includes("Allow")) continue;
        allowed.add(server.name);
        const lines = seen.text.replaceAll("\u200B", "").split("\n");
        const used = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil([...line].length / server.columns)), 0);
        expect(used, server.name).toBeLessThanOrEqual(server.rows);
        for (const part of parts) expect(lines.join("\n"), server.name).toContain(part);
      }
    }),
    { seed: 18, numRuns: 40 },
  );
  expect([...allowed].toSorted()).toEqual(servers.map(({ name }) => name).toSorted());
});

describe.each(servers)("a question on $name", (server) => {
  const show = (call: HidingCall): { labels: string[]; seen: Seen } => showOn(server, ask(call).request);

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
