// The routes of the page, beside those of the platform's API. web/ has what the browser runs.
import { join } from "node:path";
import type { Context } from "hono";
import * as z from "zod";
import { notePage, removePageNote } from "../../../answers/open-page.ts";
import { randomKey, sha256 } from "../../../system/crypto.ts";
import { readBytesIfThere, readIfThere } from "../../../system/files/read.ts";
import { ownPackageFolder } from "../../../system/package.ts";
import type { App } from "../../../usage/server/http/parts.ts";
import { HttpProblem } from "../../../usage/server/http/problems.ts";
import { createAccess, type AccessParts } from "./access.ts";
import { createAnswering } from "./answer.ts";
import type { Done, GivenAnswer } from "./contract.ts";
import { createNowWatch } from "./now.ts";
import { createStreams } from "./stream.ts";

/** Nothing inline, nothing of others, and the page is in no frame. */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const securityHeaders = {
  "content-security-policy": contentPolicy,
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
};

const assets: Readonly<Record<string, { file: string; type: string }>> = {
  "/": { file: "index.html", type: "text/html; charset=utf-8" },
  "/page/page.js": { file: "page.js", type: "text/javascript; charset=utf-8" },
  "/page/page.css": { file: "page.css", type: "text/css; charset=utf-8" },
};

export interface Page {
  add(app: App, addressOf: (context: Context) => string): void;
  onListening(url: string): void;
  close(): void;
}

export function createPage({ layout, clock, origin }: Omit<AccessParts, "addressOf">): Page {
  const answering = createAnswering(layout, randomKey());
  const now = createNowWatch(layout, clock, answering, buildId);
  const streams = createStreams(now, clock);
  return {
    add(app, addressOf) {
      const access = createAccess({ layout, clock, origin, addressOf });
      app.use("/page/*", guard);
      app.use("/", guard);
      for (const [path, { file, type }] of Object.entries(assets)) {
        app.get(path, (context) => context.body(readAsset(file), 200, { "content-type": type }));
      }
      app.get("/page/icon.png", (context) => {
        const icon = readBytesIfThere(join(ownPackageFolder(), "icons/attention.png"));
        return context.body(new Uint8Array(icon ?? []), 200, { "content-type": "image/png" });
      });
      app.post("/page/pair", (context) => access.pair(context));
      app.get("/page/events", (context) => {
        access.requireDevice(context, "read");
        return streams.open(() => access.currentDevice(context));
      });
      app.post("/page/answers", async (context) => {
        const device = access.requireDevice(context, "answer");
        const given = await access.readBody(context, device.id, givenAnswerSchema);
        const { what, text } = answering.take(device, given, clock.now());
        return context.json({ isDone: what === "answered", text } satisfies Done);
      });

      function guard(context: Context, next: () => Promise<void>): Promise<void> {
        for (const [name, value] of Object.entries(securityHeaders)) context.header(name, value);
        access.requireOwnOrigin(context);
        return next();
      }
    },
    onListening: (url) => notePage(layout, origin ?? url),
    close() {
      removePageNote(layout);
      streams.closeAll();
    },
  };
}

const givenAnswerSchema: z.ZodType<GivenAnswer> = z.object({
  question: z.string().max(200),
  nonce: z.string().max(200),
  words: z.string().max(10_000).optional(),
});

function readAsset(file: string): string {
  const text = readIfThere(join(ownPackageFolder(), "dist/web", file));
  if (text === undefined) throw new HttpProblem(404, "the page is not built; run: npm run build");
  return text;
}

function buildId(): string {
  return sha256(["page.js", "page.css"].map(readAsset).join("")).slice(0, 16);
}
