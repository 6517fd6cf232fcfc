// A client of a receiver that answers as the platform's document says; its waits pass at once.
import { expect } from "vitest";
import { UserError } from "../../../src/model/errors.ts";
import { Secret } from "../../../src/model/privacy/secret.ts";
import { createPlatformClient, type PlatformClient } from "../../../src/wings/platform/client/client.ts";
import type { SendHttp } from "../../../src/system/network/http.ts";
import { createSendHttp } from "../../../src/system/network/send.ts";
import { createFakeClock } from "../fake-clock.ts";
import type { PlatformReceiver } from "./receiver.ts";

export const today = "2026-03-10";

export type PlatformCall = (client: PlatformClient) => Promise<unknown>;

/** `waits` has the waits. */
export function clientOf(
  receiver: PlatformReceiver,
  access: { baseUrl?: string; appUrl?: string; key?: string } = {},
  http: SendHttp = createSendHttp({}),
): PlatformClient & { waits: number[] } {
  const clock = createFakeClock(Date.parse(`${today}T09:00:00Z`));
  const waits: number[] = [];
  const client = createPlatformClient(
    {
      baseUrl: access.baseUrl ?? receiver.origin,
      appUrl: access.appUrl,
      apiKey: new Secret(access.key ?? "key-manager"),
    },
    {
      http,
      clock: {
        ...clock,
        after(delayMs, callback) {
          waits.push(delayMs);
          queueMicrotask(callback);
          return () => {};
        },
      },
      random: () => 1,
    },
  );
  return { ...client, waits };
}

export async function errorOf(promise: Promise<unknown>): Promise<UserError> {
  const error: unknown = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(UserError);
  return error as UserError;
}
