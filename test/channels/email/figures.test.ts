// A table and a chart in a mail: as HTML with a picture that fits the numbers, and as text.
import { decode } from "fast-png";
import { describe, expect, it } from "vitest";
import { writeMail } from "../../../src/channels/email/message.ts";
import { limitContent } from "../../../src/model/privacy/content.ts";
import type { Figures } from "../../../src/model/event.ts";
import { sampleEvent, sampleMessage } from "../../support/mail/email-request.ts";

const figures: Figures = {
  table: {
    columns: ["", "Today", "Before"],
    rows: [
      ["Credits", "1,200", "800"],
      ["Sessions", "9", "12"],
    ],
  },
  chart: { title: "Credits per day", labels: ["Mon", "Tue", "Wed", "Thu"], values: [0, 50, 100, 25] },
};
const write = (given: Figures = figures) => writeMail(sampleMessage, { ...sampleEvent, figures: given }, "title");

describe("a mail with figures", () => {
  it("has them as text between the body and the fields", () => {
    expect(write().text).toContain(
      [
        "May I run `npm publish`?",
        "",
        "          Today  Before",
        "Credits   1,200     800",
        "Sessions      9      12",
        "",
        "Credits per day, Mon to Thu: ▁▅█▃ up to 100",
        "",
        "project: shop",
      ].join("\n"),
    );
  });

  it("has them as HTML, with the chart as a picture in the mail itself", () => {
    const { html, attachments } = write();
    const [picture] = attachments;
    expect(html).toContain(`<img src="cid:${picture?.cid}"`);
    expect(html).toContain('alt="Mon: 0, Tue: 50, Wed: 100, Thu: 25"');
    expect(html).toMatch(/<td [^>]*>Credits<\/td><td [^>]*>1,200<\/td><td [^>]*>800<\/td>/);
    expect(attachments).toHaveLength(1);
    expect(picture).toMatchObject({ contentType: "image/png", contentDisposition: "inline" });
  });

  it("draws a bar for each value, as high as the value", () => {
    const { width, height, data } = decode(write().attachments[0]?.content ?? Buffer.alloc(0));
    expect([width, height]).toEqual([960, 240]);
    const isBlue = (x: number, y: number): boolean => data[(y * width + x) * 4 + 2] === 0xf6;
    const heights = [0, 1, 2, 3].map((index) => {
      const x = Math.round((index + 0.5) * (width / 4));
      return Array.from({ length: height }, (_, y) => y).filter((y) => isBlue(x, y)).length;
    });
    expect(heights).toEqual([0, 119, 238, 60]);
  });

  it.each([
    ["nothing but zeros", [0, 0]],
    ["one value", [7]],
    ["a negative value", [-5, 5]],
    ["a hundred values", Array.from({ length: 100 }, (_, index) => index)],
  ])("draws %s", (_, values) => {
    const chart = { title: "t", labels: values.map(String), values };
    expect(decode(write({ chart }).attachments[0]?.content ?? Buffer.alloc(0)).width).toBe(960);
  });

  it("escapes what they say, and keeps each text on its line", () => {
    const attack = `<script>"\u001b[31m\nb`;
    const table = { columns: [attack], rows: [[attack]] };
    const { html, text } = write({ table, chart: { title: attack, labels: [attack], values: [1] } });
    expect(html).not.toContain("<script>");
    expect(html).not.toContain('alt="<');
    expect(text).not.toContain("\u001b");
    expect(text).toContain('<script>" b');
  });

  it("is an ordinary one where there is only a table, or where the channel passes on no words", () => {
    expect(write({ table: figures.table }).attachments).toEqual([]);
    const event = limitContent({ ...sampleEvent, figures }, "none");
    expect(writeMail(sampleMessage, event, "title")).toEqual(writeMail(sampleMessage, sampleEvent, "title"));
    expect(limitContent({ ...sampleEvent, figures }, "summary").figures).toEqual(figures);
  });
});
