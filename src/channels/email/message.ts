// Subject, text and HTML of a mail.
import type { AgentEvent } from "../../model/event.ts";
import type { Level } from "../../model/level.ts";
import { cut, measures, printableLine } from "../../model/text.ts";
import type { RichMessage } from "../channel-type.ts";
import { escapeMarkupAndQuotes, fitBody, htmlSyntax } from "../rendering/compose.ts";
import { fitTitle } from "../rendering/title.ts";
import { type MailFigures, showFigures } from "./figures.ts";
import { levelLooks } from "../rendering/levels.ts";

/** hookbell's own limit. */
export const maxSubjectCodePoints = 150;
/** hookbell's own limit, for each part. */
export const maxBodyBytes = 100_000;
export const maxFields = 20;
export const maxFieldCodePoints = 500;

export const subjectStyles = ["title", "session"] as const;
export type SubjectStyle = (typeof subjectStyles)[number];

const quietColor = "#7a7a7a";

export function writeMail(message: RichMessage, event: AgentEvent, style: SubjectStyle) {
  const title = printableLine(message.title) || `${line(event.agent)}: ${line(event.name)}`;
  const session = `${line(event.project) || line(event.host)}: ${line(event.agent)} session`;
  const given = style === "title" ? { ...message, title } : { title: session };
  const subject = fitTitle(given, event.name, maxSubjectCodePoints);
  const body = fitBody(message, maxBodyBytes, measures.bytes);
  const htmlBody = fitBody(message, maxBodyBytes, measures.bytes, mailSyntax);
  // A repeat would fill the preview.
  const heading = subject === title ? "" : title;
  const fields = message.fields
    .slice(0, maxFields)
    .map(({ label, value }) => ({ label: line(label), value: line(value) }));
  const by = fields.length === 0 ? `${line(event.agent)} on ${line(event.host)}, ` : "";
  const origin = by + line(readableTime(event.at));
  const figures = event.figures && showFigures(event.figures, escapeHtml, quietColor);
  const parts = { subject, heading, body, htmlBody, fields, origin, level: message.level, figures };
  return { subject, text: writeText(parts), html: writeHtml(parts), attachments: figures?.attachments ?? [] };
}

interface MailParts {
  subject: string;
  heading: string;
  body: string;
  htmlBody: string;
  fields: readonly { label: string; value: string }[];
  origin: string;
  level: Level;
  figures: MailFigures | undefined;
}

function writeText({ heading, body, fields, origin, level, figures }: MailParts): string {
  const list = fields.map(({ label, value }) => `${label}: ${value}`).join("\n");
  const blocks = [cut(heading, maxBodyBytes, measures.bytes), body, figures?.text ?? "", list];
  // "-- " starts a signature.
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n\n-- \n${levelLooks[level].word} - ${origin}\n`;
}

function writeHtml({ subject, heading, htmlBody, fields, origin, level, figures }: MailParts): string {
  const { word, textColour: color } = levelLooks[level];
  const fit = (text: string): string => cut(text, maxBodyBytes, measures.bytes, escapeHtml);
  const rows = fields.map(
    ({ label, value }) =>
      `<tr><td style="padding:2px 14px 2px 0;color:${quietColor};vertical-align:top">${escapeHtml(label)}</td>` +
      `<td dir="auto" style="padding:2px 0;overflow-wrap:anywhere">${escapeHtml(value)}</td></tr>`,
  );
  return [
    "<!doctype html>",
    `<html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">`,
    `<meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title></head>`,
    `<body style="margin:0;padding:16px;font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;font-size:15px;line-height:1.5">`,
    `<div style="max-width:44em;border-left:4px solid ${color};padding:2px 0 2px 14px">`,
    `<p style="margin:0;font-size:13px;font-weight:600;color:${color}">${word}</p>`,
    heading === "" ? "" : `<h1 dir="auto" style="margin:4px 0 0;font-size:18px;line-height:1.3">${fit(heading)}</h1>`,
    // Outlook needs <br>; pre-wrap keeps indentation everywhere else.
    htmlBody === ""
      ? ""
      : `<div dir="auto" style="margin:8px 0 0;white-space:pre-wrap;overflow-wrap:anywhere">${htmlBody}</div>`,
    figures?.html ?? "",
    rows.length === 0 ? "" : `<table style="margin:12px 0 0;border-collapse:collapse">${rows.join("\n")}</table>`,
    `<p style="margin:14px 0 0;font-size:12px;color:${quietColor};overflow-wrap:anywhere">${escapeHtml(origin)}</p>`,
    "</div></body></html>",
  ]
    .filter((block) => block !== "")
    .join("\n");
}

function escapeHtml(text: string): string {
  return escapeMarkupAndQuotes(text).replaceAll("\n", "<br>");
}

function line(text: string): string {
  return cut(printableLine(text), maxFieldCodePoints);
}

/** The time has its zone, since a mail may be read in another. */
function readableTime(at: string): string {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return at;
  const zone = new Intl.DateTimeFormat("en", { timeZoneName: "short" })
    .formatToParts(time)
    .find(({ type }) => type === "timeZoneName");
  return `${time.toLocaleString("sv").slice(0, 16)} ${zone?.value ?? ""}`.trimEnd();
}

const mailSyntax = { ...htmlSyntax(escapeHtml), codeBlock: mailCode };

function mailCode(text: string): string {
  const style =
    "margin:8px 0;padding:8px 10px;font-size:13px;white-space:pre-wrap;border:1px solid #8884;border-radius:4px";
  return `<pre style="${style}">${escapeHtml(text)}</pre>`;
}
