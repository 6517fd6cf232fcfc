import { expect, it, onTestFinished } from "vitest";
import { connectToNats } from "../../../src/system/network/nats.ts";
import { startBroker, writeConfig } from "../../support/fleet/broker-process.ts";
import { describeWithParts } from "../../support/parts.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";
import { freePort } from "../../support/random/free-port.ts";
import { makeSelfSigned } from "../../support/receivers/self-signed.ts";

/** Whether a server with a certificate of these names is taken for `host`. */
async function isTaken(host: string, names: readonly string[]): Promise<boolean> {
  const { cert, certFile } = makeSelfSigned(names);
  const port = await freePort();
  const keyFile = certFile.replace("cert.pem", "key.pem");
  const config = `listen: "127.0.0.1:${port}"\ntls { cert_file: "${certFile}", key_file: "${keyFile}" }\n`;
  await startBroker(writeConfig(temporaryFolder(), config), port);
  const options = { servers: [`tls://${host}:${port}`], authority: cert, name: "test", inboxPrefix: "_INBOX" };
  try {
    const nats = await connectToNats(options);
    onTestFinished(async () => await nats.close());
    return true;
  } catch (error) {
    expect(String(error)).toMatch(/does not match certificate's altnames/);
    return false;
  }
}

describeWithParts("the certificate of a NATS server", ["nats-server", "openssl"], () => {
  it.each([
    ["127.0.0.1", ["127.0.0.1"], true],
    ["127.0.0.1", ["localhost"], false],
    ["127.0.0.1", ["10.0.0.1"], false],
    ["localhost", ["localhost"], true],
    ["localhost", ["other.example"], false],
  ] as const)("of %s with the names %j: %j", async (host, names, expected) => {
    expect(await isTaken(host, names)).toBe(expected);
  });
});
