// Sends one message through an HTTP channel and reads the request by the vendor's own rules, as its sample knows them.
import type { ChannelDefinition } from "../../../src/channels/channel-type.ts";
import type { HttpRequest } from "../../../src/system/network/http.ts";
import { resolveSecrets } from "../../../src/system/secrets.ts";
import { localRequest, localTools } from "./channel-request.ts";
import { readBody, type HttpSample } from "./channel-sample.ts";
import { measureBy, structureOf, type Show, type Sized } from "./shown.ts";

export function shownOverHttp(channel: ChannelDefinition, sample: HttpSample): Show {
  const measure = measureBy(channel);
  const read = async () => resolveSecrets(channel.settings.parse(sample.settings("https://vendor.example")), {}, "/");
  let known: ReturnType<typeof read> | undefined;
  return async ({ message, event }) => {
    const settings = await (known ??= read());
    const made: HttpRequest[] = [];
    const http = (request: HttpRequest) => {
      made.push(request);
      return Promise.resolve({ status: 200, headers: {}, body: sample.okBody });
    };
    const sent = localRequest(message, settings);
    const outcome = await channel.send(
      { ...sent, event: { ...sent.event, ...event }, payload: { hook_event_name: "Stop" } },
      localTools({}, "/nowhere", { http }),
    );
    // Matrix is asked first whether the room is encrypted.
    const request = made.at(-1);
    if (outcome.status === "failed" || request === undefined) throw new Error(JSON.stringify(outcome));
    for (const [name, value] of Object.entries(request.headers ?? {})) {
      if (!/^[\u0020-\u007E]*$/.test(value)) throw new Error(`a header ${name} that HTTP does not take`);
    }
    const { body: whole = "" } = request;
    const body = readBody(request);
    const { data, thread, payload, ...rest } = body;
    return {
      forms: sample.forms(body),
      around: {
        method: request.method,
        // A signature of what is sent, and of the time.
        url: request.url.replace(/(timestamp|sign)=[^&]*/g, "$1"),
        headers: Object.keys(request.headers ?? {}),
        body: structureOf({
          ...rest,
          data: structureOf(data),
          thread: structureOf(thread),
          payload: structureOf(payload),
        }),
      },
      sizes: sample.pieces(body, { whole, message }).map(([what, piece]): Sized => measure(what, piece)),
    };
  };
}
