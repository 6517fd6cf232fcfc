// What a channel is handed, for tests that call it directly; the tools are the real ones of this machine.
import type { ChannelTools, RichMessage, SendRequest } from "../../../src/channels/channel-type.ts";
import { systemClock, systemRandom } from "../../../src/system/clock.ts";

export function localTools(
  env: Record<string, string>,
  stateDir: string,
  more: Partial<ChannelTools> = {},
): ChannelTools {
  return {
    clock: systemClock,
    random: systemRandom,
    env,
    http: () => Promise.reject(new Error("this channel uses no HTTP")),
    home: env.HOME ?? stateDir,
    stateDir,
    platform: "linux",
    signal: new AbortController().signal,
    ...more,
  };
}

export function localRequest(
  message: Partial<RichMessage>,
  settings: unknown,
  remembered?: Readonly<Record<string, string>>,
): SendRequest<unknown> {
  return {
    settings,
    message: { title: "shop: done", body: "All tests pass.", level: "success", fields: [], ...message },
    event: {
      id: "evt_1",
      name: "Stop",
      agent: "droid",
      session: "s-1",
      cwd: "/srv/shop",
      project: "shop",
      host: "box",
      at: "2026-11-21T12:00:00.000Z",
      level: "success",
    },
    deliveryId: "msg_1",
    attempt: 1,
    remembered,
  };
}
