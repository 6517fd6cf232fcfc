// Which proxy a request goes through: as the real curl does with the same environment, but for what is listed as different.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { proxyFor } from "../../../src/system/network/proxy.ts";
import { describeWithParts } from "../../support/parts.ts";
import { startHttpProxy, type HttpProxy } from "../../support/receivers/http-proxy.ts";

const run = promisify(execFile);

type Row = [
  env: Record<string, string>,
  url: string,
  way: "proxy" | "direct",
  curlsWay?: "proxy" | "direct" | "either",
];

/** `PROXY` stands for the proxy's URL. */
const rows: Row[] = [
  [{ http_proxy: "PROXY" }, "http://svc.corp.test/", "proxy"],
  [{ HTTPS_PROXY: "PROXY" }, "https://svc.corp.test/", "proxy"],
  [{ https_proxy: "PROXY", HTTPS_PROXY: "http://127.0.0.1:9" }, "https://svc.corp.test/", "proxy"],
  [{ https_proxy: "", HTTPS_PROXY: "PROXY" }, "https://svc.corp.test/", "proxy"],
  [{ https_proxy: "PROXY" }, "http://svc.corp.test/", "direct"],
  // curl fears that a web server has made this variable of a header of its client.
  [{ HTTP_PROXY: "PROXY" }, "http://svc.corp.test/", "proxy", "direct"],
  [{ http_proxy: "PROXY" }, "https://svc.corp.test/", "proxy", "direct"],
  [{ ALL_PROXY: "PROXY" }, "http://svc.corp.test/", "proxy"],
  [{ ALL_PROXY: "PROXY" }, "https://svc.corp.test/", "proxy"],
  [{ all_proxy: "PROXY", ALL_PROXY: "http://127.0.0.1:9" }, "https://svc.corp.test/", "proxy"],
  [{ https_proxy: "PROXY", ALL_PROXY: "http://127.0.0.1:9" }, "https://svc.corp.test/", "proxy"],
  [{ https_proxy: "", ALL_PROXY: "PROXY" }, "https://svc.corp.test/", "proxy"],
  ...exclusions([
    ["corp.test", "http://corp.test/", "direct"],
    ["corp.test", "http://svc.corp.test/", "direct"],
    ["corp.test", "https://svc.corp.test:8443/", "direct"],
    ["corp.test", "http://a.b.corp.test/", "direct"],
    ["corp.test", "http://mycorp.test/", "proxy"],
    ["corp.test", "http://corp.test.example/", "proxy"],
    ["svc.corp.test", "http://corp.test/", "proxy"],
    [".corp.test", "http://corp.test/", "direct"],
    [".corp.test", "http://svc.corp.test/", "direct"],
    [".corp.test", "http://mycorp.test/", "proxy"],
    ["corp.test.", "http://svc.corp.test/", "direct"],
    ["corp.test", "http://svc.corp.test./", "direct"],
    ["CORP.Test", "http://svc.corp.test/", "direct"],
    ["test", "http://svc.corp.test/", "direct"],
    ["other.test,corp.test", "http://svc.corp.test/", "direct"],
    ["other.test, corp.test", "http://svc.corp.test/", "direct"],
    ["other.test corp.test", "http://svc.corp.test/", "direct"],
    ["other.test", "http://svc.corp.test/", "proxy"],
    ["", "http://svc.corp.test/", "proxy"],
    [",", "http://svc.corp.test/", "proxy"],
    ["*", "http://svc.corp.test/", "direct"],
    ["*", "https://192.0.2.7/", "direct"],
    ["192.0.2.7", "http://192.0.2.7/", "direct"],
    ["192.0.2.7", "http://192.0.2.70/", "proxy"],
    ["2.7", "http://192.0.2.7/", "proxy"],
    ["192.0.2.0/24", "http://192.0.2.7/", "direct"],
    ["192.0.2.0/24", "https://192.0.2.7/", "direct"],
    ["192.0.2.0/29", "http://192.0.2.7/", "direct"],
    ["192.0.2.0/30", "http://192.0.2.7/", "proxy"],
    ["192.0.2.7/32", "http://192.0.2.7/", "direct"],
    ["192.0.2.0/33", "http://192.0.2.7/", "proxy"],
    ["192.0.0.0/8,corp.test", "http://192.0.2.7/", "direct"],
    ["192.0.2.0/24", "http://svc.corp.test/", "proxy"],
    ["2001:db8::7", "http://[2001:db8::7]/", "direct"],
    ["2001:db8::7", "http://[2001:db8::70]/", "proxy"],
    // curl's manual has these networks, and 7.88 does not find them.
    ["2001:db8::/32", "http://[2001:db8::7]/", "direct", "either"],
    ["2001:db8:1::/48", "http://[2001:db8::7]/", "proxy"],
    ["192.0.2.0/24", "http://[2001:db8::7]/", "proxy"],
    // These are hookbell's own.
    ["a.test, *", "http://svc.corp.test/", "direct", "proxy"],
    ["*.corp.test", "http://svc.corp.test/", "direct", "proxy"],
    ["corp.test:8080", "http://svc.corp.test:8080/", "direct", "proxy"],
    ["corp.test:8080", "http://svc.corp.test/", "proxy"],
    ["corp.test:443", "https://svc.corp.test/", "direct", "proxy"],
    ["[2001:db8::7]:8080", "http://[2001:db8::7]:8080/", "direct", "proxy"],
    ["0.0.0.0/0", "http://192.0.2.7/", "direct", "proxy"],
  ]),
  [{ http_proxy: "PROXY", no_proxy: "corp.test", NO_PROXY: "" }, "http://svc.corp.test/", "direct"],
  [{ http_proxy: "PROXY", no_proxy: "other.test", NO_PROXY: "corp.test" }, "http://svc.corp.test/", "proxy"],
];

/** Each as `no_proxy` and as `NO_PROXY`, with a proxy for all. */
function exclusions(list: [string, ...(Row extends [unknown, ...infer Rest] ? Rest : never)][]): Row[] {
  return list.flatMap(([names, ...rest]) =>
    ["no_proxy", "NO_PROXY"].map((variable): Row => [{ all_proxy: "PROXY", [variable]: names }, ...rest]),
  );
}

describeWithParts("the way of a request", ["curl"], () => {
  let proxy: HttpProxy;
  beforeAll(async () => {
    proxy = await startHttpProxy();
    proxy.behave(502);
  });
  afterAll(() => proxy.close());

  const withProxy = (env: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value.replace("PROXY", proxy.url)]));

  it.each(rows)("with %j to %s is %s", (env, url, way) => {
    const found = proxyFor(new URL(url), withProxy(env));
    expect(found === undefined ? "direct" : found).toEqual(way === "direct" ? "direct" : new URL(proxy.url));
  });

  it("is curl's, but for what is listed", async () => {
    const ways: Row[] = [];
    for (const [env, url, way, curlsWay] of rows) {
      proxy.asked.length = 0;
      // No host exists, so that what goes past the proxy fails.
      await run("curl", ["-q", "-s", "--connect-timeout", "0.3", url], { env: withProxy(env) }).catch(() => {});
      const seen = proxy.asked.length > 0 ? "proxy" : "direct";
      if (curlsWay === "either") ways.push([env, url, way, curlsWay]);
      else ways.push(seen === way ? [env, url, way] : [env, url, way, seen]);
    }
    expect(ways).toEqual(rows);
  });

  it.each([
    [{ ALL_PROXY: "socks5://127.0.0.1:9" }, "invalid"],
    [{ HTTPS_PROXY: "ftp://127.0.0.1:9" }, "invalid"],
    [{ HTTPS_PROXY: "http://" }, "invalid"],
  ])("with %j is %s: nothing may go past a proxy that it does not know", (env, expected) => {
    expect(proxyFor(new URL("https://svc.corp.test/"), env)).toBe(expected);
  });

  it("to this machine is direct: the proxy would look for it on its own", () => {
    for (const host of ["localhost", "127.0.0.1", "[::1]", "a.localhost"]) {
      expect(proxyFor(new URL(`http://${host}:1/`), { ALL_PROXY: proxy.url })).toBeUndefined();
    }
  });
});
