// A mail server that takes everything, keeps it, and can do no TLS.
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

export interface MailSink {
  port: number;
  /** As they came over the line, with the addresses that they came for. */
  mails: { source: string; envelope: { from: string; to: string[] } }[];
  stop(): Promise<void>;
}

export async function startMailSink(): Promise<MailSink> {
  const mails: MailSink["mails"] = [];
  const server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    logger: false,
    disableReverseLookup: true,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom === false ? "" : mailFrom.address;
        mails.push({
          source: Buffer.concat(chunks).toString("utf8"),
          envelope: { from, to: rcptTo.map(({ address }) => address) },
        });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
