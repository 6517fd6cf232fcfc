// A URL that does not come from the person's settings leads nowhere in their own network.
import { lookup } from "node:dns";
import { hostname } from "node:os";
import { describe, expect, it } from "vitest";
import { isPrivateAddress, lookUpPublic, PrivateAddressError } from "../../../src/system/network/public-address.ts";
import { createSendHttp } from "../../../src/system/network/send.ts";
import { longestWaitMs } from "../../support/longest-wait.ts";
import { describeWithParts } from "../../support/parts.ts";
import { startHttpReceiver } from "../../support/receivers/http-receiver.ts";
import { makeSelfSigned } from "../../support/receivers/self-signed.ts";
import { everyRow } from "../../support/rows.ts";

it("knows what is private", () =>
  everyRow(
    [
      "0.0.0.0",
      "10.1.2.3",
      "100.64.0.1",
      "127.0.0.1",
      "169.254.169.254",
      "172.31.255.255",
      "192.168.1.1",
      "224.0.0.1",
      "255.255.255.255",
      "::",
      "::1",
      "::ffff:10.0.0.1",
      "::ffff:7f00:1",
      "64:ff9b::a00:1",
      "64:ff9b::192.168.0.1",
      "2002:a00:1::",
      "fd00::1",
      "fe80::1",
      "ff02::1",
    ],
    (address) => {
      expect(isPrivateAddress(address)).toBe(true);
    },
  ));

it("knows what is not private", () =>
  everyRow(
    ["1.1.1.1", "172.32.0.1", "192.167.1.1", "2606:4700::1111", "64:ff9b::101:101", "::ffff:1.1.1.1", "push.example"],
    (address) => {
      expect(isPrivateAddress(address)).toBe(false);
    },
  ));

const refused = (url: string): Promise<unknown> =>
  createSendHttp({})(
    { method: "POST", url, isPublicOnly: true, body: "x" },
    { timeoutMs: longestWaitMs, keepsConnection: true },
  );

describe("a request for public addresses only", () => {
  it("is refused before anything is sent to a private one", () =>
    everyRow(
      [
        ["http://push.example/", "must be asked over https://"],
        ["https://localhost/", "leads to a private address"],
        ["https://10.0.0.1/", "leads to a private address"],
        ["https://0x7f.1/", "leads to a private address"],
        ["https://[::ffff:127.0.0.1]/", "leads to a private address"],
      ],
      async ([url, why]) => {
        expect(await refused(url)).toMatchObject({ failure: "rejected", detail: expect.stringContaining(why) });
      },
      (row) => JSON.stringify(row),
    ));
});

describeWithParts("a request for public addresses only", ["openssl"], () => {
  it("is refused where a name leads to such an address, also beside a connection that stays open", async () => {
    const receiver = await startHttpReceiver({ tls: makeSelfSigned(["localhost"]) });
    try {
      const found = await new Promise((resolve) => {
        lookUpPublic("localhost", {}, (error) => resolve(error));
      });
      expect(found).toBeInstanceOf(PrivateAddressError);
      const all = await new Promise((resolve) => {
        lookUpPublic("localhost", { all: true }, (error) => resolve(error));
      });
      expect(all).toBeInstanceOf(PrivateAddressError);
      const hostName = await localName();
      const answer = await refused(`https://${hostName}:${receiver.port}/`);
      expect(answer).toMatchObject({ failure: "rejected", detail: expect.stringContaining("private address") });
      expect(receiver.connectionCount()).toBe(0);
    } finally {
      await receiver.close();
    }
  });
});

/** This machine's own name, if it leads to a private address: then only the look-up can tell. */
async function localName(): Promise<string> {
  const own = hostname();
  const address = await new Promise<string>((resolve) => lookup(own, (_, found) => resolve(found ?? "")));
  return isPrivateAddress(address) ? own : "localhost";
}
