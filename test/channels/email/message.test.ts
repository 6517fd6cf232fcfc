import { describe, expect, it } from "vitest";
import {
  maxBodyBytes,
  maxFieldCodePoints,
  maxFields,
  maxSubjectCodePoints,
  writeMail,
} from "../../../src/channels/email/message.ts";
import { sampleEvent, sampleMessage } from "../../support/mail/email-request.ts";
import { levels } from "../../../src/model/level.ts";

describe("writeMail", () => {
  it("writes a plain mail, with the time of this machine's zone", () => {
    const at = new Date(sampleEvent.at);
    const zone = new Intl.DateTimeFormat("en", { timeZoneName: "short" }).format(at).split(" ").at(-1);
    const localTime = `${at.toLocaleString("sv-SE").slice(0, 16)} ${zone}`;
    const { subject, text } = writeMail(sampleMessage, sampleEvent, "title");
    expect(subject).toBe("shop: needs you");
    expect(text).toBe(`May I run \`npm publish\`?\n\nproject: shop\n\n-- \nNeeds you - ${localTime}\n`);
  });

  it("puts the title into the text where the subject is the session's", () => {
    const { subject, text, html } = writeMail(sampleMessage, sampleEvent, "session");
    expect(subject).toBe("shop: claude-code session");
    expect(text).toMatch(/^shop: needs you\n\nMay I run/);
    expect(html).toMatch(/<h1 [^>]*>shop: needs you<\/h1>/);
  });

  it.each([
    ["a title with line breaks", { title: "a\r\nBcc: eve@example.org\n\tb" }, "a Bcc: eve@example.org b"],
    ["a title with controls and overrides", { title: "a\u0000\u001b[31mb\u202e\u0007" }, "ab"],
    ["no title", { title: " \n" }, "claude-code: Notification"],
    ["a title in another script", { title: "完了 ✓" }, "完了 ✓"],
  ])("makes a subject of %s", (_, change, subject) => {
    expect(writeMail({ ...sampleMessage, ...change }, sampleEvent, "title").subject).toBe(subject);
  });

  it("shows the whole of a title that the subject has no room for", () => {
    const title = "word ".repeat(100).trim();
    const { subject, text } = writeMail({ ...sampleMessage, title }, sampleEvent, "title");
    expect([...subject].length).toBeLessThanOrEqual(maxSubjectCodePoints);
    expect(subject).toMatch(/^(?:word )+word…$/);
    expect(text.startsWith(`${title}\n\n`)).toBe(true);
  });

  it("does not repeat the subject where there is no body", () => {
    const { text, html } = writeMail({ ...sampleMessage, body: "\n " }, sampleEvent, "title");
    expect(text).toMatch(/^project: shop\n/);
    expect(html).not.toContain("<h1");
  });

  it("escapes everything that an event says", () => {
    const attack = `<img src=x onerror="a('b')">&amp;`;
    const escaped = "&lt;img src=x onerror=&quot;a(&#39;b&#39;)&quot;&gt;&amp;amp;";
    const message = { ...sampleMessage, title: attack, body: attack, fields: [{ label: attack, value: attack }] };
    const event = { ...sampleEvent, agent: attack, host: attack, session: attack, project: attack, at: attack };
    for (const [style, fields, least] of [
      ["title", message.fields, 5],
      ["session", message.fields, 6],
      ["title", [], 5],
    ] as const) {
      const { html, text } = writeMail({ ...message, fields: [...fields] }, event, style);
      expect(html).not.toContain("<img");
      expect(html.split(escaped).length - 1).toBeGreaterThanOrEqual(least);
      expect(text).toContain(attack);
    }
  });

  it("keeps lines and indentation in HTML", () => {
    const { html } = writeMail({ ...sampleMessage, body: "a\r\n  b\n\nc" }, sampleEvent, "title");
    expect(html).toContain(">a<br>  b<br><br>c</div>");
  });

  it.each([
    ["text", "é"],
    ["mark-up, which grows when it is escaped", "<&>"],
    ["emoji", "👩‍👩‍👧"],
  ])("cuts a body of much %s", (_, piece) => {
    const { text, html } = writeMail({ ...sampleMessage, body: piece.repeat(60_000) }, sampleEvent, "title");
    const body = /<div dir="auto"[^>]*>(.*?)<\/div>/s.exec(html)?.[1] ?? "";
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(maxBodyBytes);
    expect(Buffer.byteLength(body)).toBeGreaterThan(maxBodyBytes - 32);
    expect(body).toContain("…");
    expect(body.replaceAll("…", "").replaceAll(/&(lt|gt|amp);/g, "")).not.toMatch(/[&;]/);
    expect(Buffer.byteLength(text.split("\n\n")[0] ?? "")).toBeLessThanOrEqual(maxBodyBytes);
  });

  it("cuts fields in number and length", () => {
    const fields = Array.from({ length: 50 }, (_, index) => ({ label: `label ${index}`, value: "v".repeat(10_000) }));
    const { text, html } = writeMail({ ...sampleMessage, fields }, sampleEvent, "title");
    expect(html.split("<tr>").length - 1).toBe(maxFields);
    expect(text).toContain(`label 0: ${"v".repeat(maxFieldCodePoints - 1)}…\nlabel 1: `);
  });

  it("has a word and a colour of its own for each level", () => {
    const looks = levels.map((level) => {
      const { html } = writeMail({ ...sampleMessage, level }, sampleEvent, "title");
      return [
        /border-left:4px solid (#[0-9A-F]{6})/.exec(html)?.[1],
        /font-weight:600;color:#[0-9A-F]{6}">([^<]+)</.exec(html)?.[1],
      ];
    });
    expect(new Set(looks.map(([color]) => color)).size).toBe(levels.length);
    expect(looks.map(([, word]) => word)).toEqual(["Info", "Done", "Needs you", "Failed"]);
  });
});
