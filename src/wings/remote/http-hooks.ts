// Takes in what agents elsewhere post by their own http hooks. Where the user is asked, the request waits for the answer.
import * as z from "zod";
import { HttpProblem, problemSchema } from "../../http-server/problems.ts";
import { type Operation, routeOf, type Served } from "../../http-server/served.ts";
import { printableLine } from "../../model/text.ts";
import type { Clock } from "../../system/clock.ts";

export interface HookCall {
  /** The machine, as the secret names it. */
  remote: string;
  agentId: string;
  eventName: string | undefined;
  text: string;
}

export interface HookReceiver {
  /** The machine that has this secret. */
  remoteOf(secret: string): string | undefined;
  /** When it resolves to anything but a problem, the event is durable. */
  take(call: HookCall): Promise<ReceivedHook>;
}

export type ReceivedHook =
  | { what: "taken" }
  /** Resolves to what the agent's hook would print, empty for no decision. `gone`: the agent waits no longer. Never rejects. */
  | { what: "asked"; answer(gone: AbortSignal): Promise<string> }
  | { what: "invalid"; why: string }
  | { what: "notKept"; why: string };

/** Proxies and this server close a connection on which nothing moves. JSON may begin with any number of spaces. */
const beatMs = 10_000;
const retryAfterSeconds = "30";

const receiveHook = {
  method: "POST",
  path: "/api/extensions/hooks/{agent}",
  roles: [],
  /** An agent's payload, in the agent's own form. */
  query: z.object({
    event: z.string().min(1).max(64).describe("for agents whose payload does not name it").optional(),
  }),
  body: z.looseObject({}),
  maxBodyBytes: 2 * 1024 * 1024,
  /** What a hook of the agent prints. Spaces may come before it, while the user is asked. */
  success: { status: 200, body: z.looseObject({}) },
  errors: { statuses: [400, 401, 413, 429, 500, 503], body: problemSchema },
  summary: "Take in an event that an agent elsewhere posts by its own http hook, and answer its question",
  credential: "remote",
} as const satisfies Operation;

const securitySchemes = {
  remote: {
    type: "http",
    scheme: "bearer",
    description: "A secret that `hookbell remote add NAME --by http` has printed.",
  },
};

/** Where an agent posts to. */
export function hookPath(agentId: string): string {
  return receiveHook.path.replace("{agent}", agentId);
}

/** The part of the server that takes them in. */
export function serveHooks(clock: Clock, hooks: HookReceiver): Served {
  const { path, maxBodyBytes, query } = receiveHook;
  return {
    operations: { receiveHook },
    securitySchemes,
    add(app, { guard }) {
      app.post(routeOf(path), async (context) => {
        const secret = /^Bearer +(\S+)$/i.exec(context.req.header("authorization") ?? "")?.[1];
        const remote = secret === undefined ? undefined : hooks.remoteOf(secret);
        if (remote === undefined) {
          const detail =
            secret === undefined ? "send the secret: Authorization: Bearer SECRET" : "the secret is not known";
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
    },
  };
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
