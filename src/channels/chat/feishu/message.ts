// What Feishu is sent: a card.
import { markdownSyntax, plainSyntax, type Syntax } from "../../../model/rich-text/render.ts";
import type { RichMessage } from "../../channel-type.ts";
import { cut } from "../../../model/text.ts";
import { alignedTable } from "../../rendering/aligned-table.ts";
import { escapedSyntax, fieldLines, fitBody, jsonBytes, withoutTags } from "../../rendering/compose.ts";
import { fitTitle } from "../../rendering/title.ts";
import type { Level } from "../../../model/level.ts";

/** https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot says 20 KB. */
export const maxRequestBytes = 20_000;
/** hookbell's own limit. */
export const maxTitleBytes = 600;
export const maxFieldBytes = 500;
const maxFields = 10;
export const maxBodyBytes = maxRequestBytes - maxTitleBytes - maxFields * (maxFieldBytes + 100) - 1000;

/** https://open.feishu.cn/document/common-capabilities/message-card/message-cards-content/card-header */
const templates: Readonly<Record<Level, string>> = {
  info: "blue",
  success: "green",
  attention: "orange",
  error: "red",
};

/** https://open.feishu.cn/document/common-capabilities/message-card/message-cards-content. `plain_text` has no markup and no mentions. */
export function toFeishuCard(message: RichMessage, eventName: string) {
  const isPlain = message.blocks === undefined;
  const body = fitBody(message, maxBodyBytes, jsonBytes, isPlain ? escapedSyntax(plainlyEscaped) : feishuSyntax);
  const fields = fieldLines(message, maxFields).map((line) =>
    cut(withoutFeishuEmoji(line), maxFieldBytes, jsonBytes, withoutTags),
  );
  const elements: object[] = [];
  if (body !== "") {
    elements.push(
      isPlain ? { tag: "div", text: { tag: "plain_text", content: body } } : { tag: "markdown", content: body },
    );
  }
  if (fields.length > 0) {
    elements.push({
      tag: "div",
      fields: fields.map((content) => ({ is_short: true, text: { tag: "plain_text", content } })),
    });
  }
  return {
    header: {
      title: { tag: "plain_text", content: fitTitle(message, eventName, maxTitleBytes, jsonBytes, plainlyEscaped) },
      template: templates[message.level],
    },
    elements,
  };
}

/** `:OK:` is a picture even in `plain_text`. */
function withoutFeishuEmoji(text: string): string {
  return text.replace(/:(?=[A-Za-z_]{1,30}:)/g, ":\u200B");
}

function plainlyEscaped(text: string): string {
  return withoutTags(withoutFeishuEmoji(text));
}

/** Signs with a meaning are written as entities: https://open.feishu.cn/document/feishu-cards/card-json-v2-components/content-components/rich-text */
function escapeFeishu(text: string): string {
  return text.replace(/[\\`*_~[\]()#:<>&+!$-]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

const feishuSyntax: Syntax = {
  ...markdownSyntax,
  text: escapeFeishu,
  code: escapeFeishu,
  link: (inner, url, aside) => `[${inner}](${url})${aside}`,
  heading: (inner) => `**${inner}**`,
  codeBlock: (text, language) => codeBlock(text, language),
  table: (_, texts) => codeBlock(alignedTable(texts), ""),
  rule: plainSyntax.rule,
  quote: (inner) => inner.replace(/^/gm, "&#62; "),
};

function codeBlock(text: string, language: string): string {
  return `\`\`\`${language}\n${withoutTags(text).replaceAll("```", "`\u200B``")}\n\`\`\``;
}
