import type { AskMore } from "../../console/ask.ts";
import { withSetting, type ChannelDraft } from "./draft.ts";

const usualPorts = { smtps: "465", smtp: "587" } as const;

/** The parts of a mail server's URL one by one, so that nobody has to encode a password; undefined: walked away. */
export async function askSmtp(ask: AskMore, draft: ChannelDraft): Promise<ChannelDraft | undefined> {
  const needed = (text: string): string | undefined => (text === "" ? "it cannot be empty" : undefined);
  const host = await ask.text("The mail server's host:", {
    problemOf: (text) =>
      needed(text) ?? (/^[\w.-]+$|^\[[\da-f:.]+\]$/i.test(text) ? undefined : "expected a host's name"),
  });
  if (host === undefined) return undefined;
  const scheme = await ask.pick("How is the connection encrypted?", [
    { value: "smtps", label: "TLS from the start", hint: `port ${usualPorts.smtps}` },
    { value: "smtp", label: "STARTTLS", hint: `port ${usualPorts.smtp}` },
  ]);
  if (scheme !== "smtps" && scheme !== "smtp") return undefined;
  const port = await ask.text("The port:", {
    usual: usualPorts[scheme],
    problemOf: (text) =>
      /^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) < 65_536
        ? undefined
        : "expected a number from 1 to 65535",
  });
  if (port === undefined) return undefined;
  const user = await ask.text("The user, often the whole address (empty: no login):", { problemOf: () => undefined });
  if (user === undefined) return undefined;
  const password = user === "" ? "" : await ask.text("The password:", { isSecret: true, problemOf: needed });
  if (password === undefined) return undefined;
  const login = user === "" ? "" : `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`;
  return withSetting(draft, ["smtp"], `${scheme}://${login}${host}:${port}`);
}

/** Whether the draft's type has a mail server whose parts can be asked for. */
export function isSmtpUrl({ channelType }: ChannelDraft, key: string): boolean {
  return channelType.type === "email" && key === "smtp";
}
