// Devices with a browser each, in a state folder of the test's own, and what a message brings to them.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { storeSubscription } from "../../../../src/channels/phone/webpush/subscriptions.ts";
import type { ChannelTools } from "../../../../src/channels/channel-type.ts";
import type { HttpFailure, HttpRequest, HttpResponse } from "../../../../src/system/network/http.ts";
import { localTools } from "../../../support/channels/channel-request.ts";
import { testBrowser, type PushedMessage, type TestBrowser } from "../../../support/receivers/push-service.ts";

export interface Devices {
  tools: ChannelTools;
  browsers: TestBrowser[];
  requests: HttpRequest[];
  /** What the requests say once they are decrypted; throws for one that a push service would refuse. */
  received(): (PushedMessage & { message: Record<string, unknown> })[];
}

export const created: HttpResponse = { status: 201, headers: {}, body: "" };

export function pairWithBrowser(stateDir: string, id: string, name: string, endpoint: string): TestBrowser {
  const folder = join(stateDir, "devices");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, `${id}.json`), JSON.stringify({ id, name }), { mode: 0o600 });
  const browser = testBrowser(endpoint);
  storeSubscription(stateDir, id, { ...browser.subscription, origin: "https://laptop.example.org" });
  return browser;
}

/** One device for each name. `answer` is what the push service of a device says. */
export function devicesIn(
  stateDir: string,
  names: readonly string[],
  answer: (name: string) => HttpResponse | HttpFailure = () => created,
): Devices {
  const endpointOf = (index: number): string => `https://push.example.net/send/s3cretOfDevice${index}`;
  const browsers = names.map((name, index) => pairWithBrowser(stateDir, `0000000${index}`, name, endpointOf(index)));
  const requests: HttpRequest[] = [];
  const http = (request: HttpRequest): Promise<HttpResponse | HttpFailure> => {
    requests.push(request);
    return Promise.resolve(answer(names.find((_, index) => request.url === endpointOf(index)) ?? ""));
  };
  return {
    tools: localTools({}, stateDir, { http }),
    browsers,
    requests,
    received: () =>
      requests.map(({ url, headers = {}, bytes = new Uint8Array() }) => {
        const browser = browsers.find(({ subscription }) => subscription.endpoint === url);
        if (browser === undefined) throw new Error(`no browser has subscribed with ${url}`);
        const pushed = browser.receive(headers, bytes);
        return { ...pushed, message: JSON.parse(pushed.text) as Record<string, unknown> };
      }),
  };
}
