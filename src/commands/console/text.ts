import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

/** Styled text where colour may be used, plain text elsewhere. */
export function paint(io: { isColor: boolean }, style: Style, text: string): string {
  return io.isColor ? styleText(style, text, { validateStream: false }) : text;
}
