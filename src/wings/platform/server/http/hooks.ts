// Takes in what agents elsewhere post by their own http hooks. Where the person is asked, the request waits for the answer.
import { printableLine } from "../../../../model/text.ts";
import type { Clock } from "../../../../system/clock.ts";
import { operations } from "./operations.ts";
import { type App, type AppParts, type Guard, routeOf } from "./parts.ts";
import { HttpProblem } from "./problems.ts";

/** Proxies and this server close a connection on which nothing moves. JSON may begin with any number of spaces. */
const beatMs = 10_000;
const retryAfterSeconds = "30";

export function addHooks(app: App, { clock, hooks }: AppParts, guard: Guard): void {
  const { path, maxBodyBytes, query } = operations.receiveHook;
  app.post(routeOf(path), async (context) => {
    const secret = /^Bearer +(\S+)$/i.exec(context.req.header("authorization") ?? "")?.[1];
    const remote = secret === undefined ? undefined : hooks?.remoteOf(secret);
    if (hooks === undefined || remote === undefined) {
      const detail = secret === undefined ? "send the secret: Authorization: Bearer SECRET" : "the secret is not known";
      throw guard.refuse(context, `${detail}; hookbell remote add NAME --by http makes one`);
    }
    guard.limit(`remote ${remote}`);
    const asked = query.safeParse(context.req.query());
    const agentId = context.req.param("agent") ?? "";
    if (!asked.success || !/^[\w-]{1,64}$/.test(agentId))
      throw new HttpProblem(400, "the address has no such agent or event");
    const text = await guard.readText(context, undefined, maxBodyBytes);
    const taken = await hooks.take({ remote, agentId, eventName: asked.data.event, text });
    if (taken.what === "invalid") throw new HttpProblem(400, printableLine(taken.why));
    if (taken.what === "notKept") {
      throw new HttpProblem(503, printableLine(taken.why), { "retry-after": retryAfterSeconds });
    }
    if (taken.what === "taken") return context.json({});
    return whileAsked(taken.answer, context.req.raw.signal, clock);
  });
}

function whileAsked(answer: (gone: AbortSignal) => Promise<string>, ended: AbortSignal, clock: Clock): Response {
  const left = new AbortController();
  let cancel = (): void => {};
  const send = (controller: ReadableStreamDefaultController<Uint8Array>, text: string): void =>
    controller.enqueue(new TextEncoder().encode(text));
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const beat = (): void => {
        send(controller, "\n");
        cancel = clock.after(beatMs, beat);
      };
      cancel = clock.after(beatMs, beat);
      void answer(AbortSignal.any([ended, left.signal])).then((text) => {
        cancel();
        if (left.signal.aborted) return;
        send(controller, text === "" ? "{}" : text);
        controller.close();
      });
    },
    cancel() {
      cancel();
      left.abort();
    },
  });
  return new Response(body, { headers: { "content-type": "application/json" } });
}
