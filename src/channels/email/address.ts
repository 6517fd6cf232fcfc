// Reads e-mail addresses.
import { domainToASCII } from "node:url";
import * as z from "zod";
import { printableLine } from "../../model/text.ts";

export interface Mailbox {
  name: string;
  address: string;
}

/** Bytes before the `@` and of the whole: https://www.rfc-editor.org/rfc/rfc5321#section-4.5.3.1 */
const maxLocalPartBytes = 64;
export const maxAddressBytes = 254;

/** Parsers disagree about quoted local parts. */
const dotString = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const domainName = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;

export function parseMailbox(text: string): Mailbox | string {
  if (printableLine(text) !== text) return "expected one line without control characters or doubled spaces";
  const named = /^([^<>]*)<([^<>]*)>$/.exec(text);
  const name = (named?.[1] ?? "").trimEnd().replace(/^"([^"]*)"$/, "$1");
  const address = named?.[2] ?? text;
  if (/[,;]/.test(address))
    return `expected one address, not a list: write an array, ["a@example.org", "b@example.org"]`;
  const [local = "", domain = "", ...more] = address.split("@");
  const expected = `expected an e-mail address such as me@example.org or "Name <me@example.org>"`;
  if (local === "" || domain === "" || more.length > 0) return `${expected}, with one @`;
  if (!dotString.test(local)) return `${expected}; "${local}" is not allowed before the @`;
  const asciiDomain = domainToASCII(domain);
  // domainToASCII reads numbers as an IP address, as browsers do.
  if (!domainName.test(asciiDomain) || /(^|\.)\d+$/.test(asciiDomain)) {
    return `${expected}; "${domain}" is not a domain name`;
  }
  const ascii = `${local}@${asciiDomain}`;
  if (local.length > maxLocalPartBytes) return `expected at most ${maxLocalPartBytes} bytes before the @`;
  if (ascii.length > maxAddressBytes) return `expected an address of at most ${maxAddressBytes} bytes`;
  return { name, address: ascii };
}

export function mailboxSetting(description: string): z.ZodType<Mailbox> {
  return z
    .string()
    .describe(description)
    .transform((text, context): Mailbox => {
      const mailbox = parseMailbox(text);
      if (typeof mailbox !== "string") return mailbox;
      context.addIssue({ code: "custom", message: mailbox, input: text });
      return z.NEVER;
    });
}
