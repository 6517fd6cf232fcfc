// The routes of the page, beside those of the platform's API. web/ has what the browser runs.
import { join } from "node:path";
import type { Context } from "hono";
import * as z from "zod";
import { notePage, removePageNote } from "../../answers/browsers/open-page.ts";
import { levels } from "../../model/level.ts";
import { layoutOf } from "../../outbox/layout.ts";
import { randomKey, sha256 } from "../../system/crypto.ts";
import { statIfThere } from "../../system/files/files.ts";
import { readBytesIfThere, readIfThere } from "../../system/files/read.ts";
import { ownPackageFolder } from "../../system/package.ts";
import type { PageRoutes, Served } from "../../http-server/served.ts";
import { HttpProblem } from "../../http-server/problems.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { count } from "../../console/output/text.ts";
import { openDispatcher } from "../../commands/pipeline/open-dispatcher.ts";
import { discardDead, reviveDead } from "../../commands/pipeline/dead-letters.ts";
import { createAccess } from "./trust/access.ts";
import { createAnswering } from "./answer.ts";
import type { ChosenLetters, GivenAnswer } from "./contract.ts";
import { deadFiles, readDeliveries } from "./deliveries.ts";
import { openEntryIo, readAsked, readDetail, readPart } from "./why/journal.ts";
import { createNowWatch } from "./now.ts";
import { addPushRoutes } from "./push.ts";
import { testRules } from "./why/rule-tester.ts";
import { createStreams } from "./stream.ts";
import { isOpenedByBrowser, loadFolder, openPageKey, renderShell, type LoadHeaders } from "./trust/shell.ts";
import { oldKeyHeader, reloadOldPage } from "./trust/old-page.ts";

/** The policy allows nothing inline, nothing from other sites, and no frame around the page. */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types hookbell-worker",
].join("; ");

const securityHeaders = {
  "content-security-policy": contentPolicy,
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  // A script that another program has left in a tab of this origin must not reach into this document.
  "cross-origin-opener-policy": "noopener-allow-popups",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
};

const javascript = "text/javascript; charset=utf-8";
const css = "text/css; charset=utf-8";
const assets: Readonly<Record<string, string>> = {
  "page.js": javascript,
  "page.css": css,
  "usage.js": javascript,
  "usage.css": css,
  "what-if-tab.js": javascript,
};
/** Push notifications only. No page is below it, so this worker never stands between the page and the server. */
const workerPath = "/page/worker.js";
/** A browser takes a newer version only where the worker may have all that another program has registered it for. */
const workerHeaders = { "content-type": javascript, "service-worker-allowed": "/" };

const icons: readonly string[] = ["app", ...levels].map((name) => `${name}.png`);

/** `origin`: by which browsers reach the page, unless by this machine's own names. */
export function createPage(io: CommandIo, origin: string | undefined): Served {
  const { clock } = io;
  const layout = layoutOf(io.places.stateDir);
  const ownKey = openPageKey(layout, clock.now());
  /** The address by which browsers reach the page is known when the server listens. */
  let address = origin ?? "";
  const answering = createAnswering(layout, randomKey());
  let closeStreams = (): void => {};
  return {
    add(app, parts) {
      const access = createAccess({
        layout,
        clock,
        pageKey: ownKey,
        origin: () => address,
        addressOf: parts.addressOf,
        onProven: parts.onProven,
      });
      const { rulesFile } = io.places;
      const watch = createNowWatch({ layout, rulesFile, clock, answering, tabs: parts.tabs, build: buildId });
      const streams = createStreams(watch, clock);
      closeStreams = streams.closeAll;
      const get: PageRoutes["get"] = (path, right, answer) =>
        void app.get(path, async (context) => {
          access.requireDevice(context, right);
          return context.json(await answer(context));
        });
      const post: PageRoutes["post"] = (path, right, schema, act) =>
        void app.post(path, async (context) => {
          const device = access.requireDevice(context, right);
          return context.json(await act(await access.readBody(context, device.id, schema), device));
        });
      app.use(replaceForeignWorker);
      app.use("/page/*", guard);
      app.use("/", guard);
      app.get("/", (context) => {
        const isOpened = isOpenedByBrowser(loadHeadersOf(context)) && !parts.isOfAnotherUser(context);
        // Another program may have left a page of its own for this address.
        if (context.req.query("pair") !== undefined) context.header("clear-site-data", '"cache"');
        return context.html(
          renderShell(
            (file) => (Object.hasOwn(assets, file) && !isBuilt(file) ? "" : readAsset(file)),
            isOpened ? ownKey : undefined,
          ),
        );
      });
      for (const [file, type] of Object.entries(assets)) {
        app.get(`${loadFolder}:load/${file}`, (context) =>
          context.body(readAsset(file), 200, { "content-type": type }),
        );
      }
      app.get(workerPath, (context) => context.body(readAsset("worker.js"), 200, workerHeaders));
      app.get("/page/manifest.webmanifest", (context) =>
        context.body(readAsset("manifest.webmanifest"), 200, { "content-type": "application/manifest+json" }),
      );
      app.get("/page/icons/:name", (context) => {
        const name = context.req.param("name");
        const icon = icons.includes(name) ? readBytesIfThere(join(ownPackageFolder(), "icons", name)) : undefined;
        if (icon === undefined) throw new HttpProblem(404, "there is no such icon");
        return context.body(new Uint8Array(icon), 200, { "content-type": "image/png" });
      });
      addPushRoutes(app, access, io);
      const { handshake } = access;
      app.post("/page/hello", handshake.hello);
      app.post("/page/session", handshake.openSession);
      app.post("/page/pair", handshake.pair);
      app.post("/page/renew", handshake.renew);
      app.get("/page/events", (context) => {
        if (context.req.header(oldKeyHeader) !== undefined) return reloadOldPage(buildId());
        access.requireDevice(context, "read");
        return streams.open(() => access.currentDevice(context));
      });
      post("/page/answers", "answer", givenAnswerSchema, (given, device) => {
        const { what, text } = answering.take(device, given, clock.now());
        return { isDone: what === "answered", text };
      });
      get("/page/journal", "read", async ({ req }) => {
        return await readPart(layout, readAsked(req.query()), await openEntryIo());
      });
      app.get("/page/journal/:file/:event", async (context) => {
        access.requireDevice(context, "read");
        return context.json(readDetail(layout, context.req.param(), await openEntryIo()));
      });
      app.get("/page/explain/:file/:event", async (context) => {
        access.requireDevice(context, "read");
        return context.json(await testRules(io, context.req.param(), context.req.query()));
      });
      get("/page/deliveries", "read", () => readDeliveries(layout, rulesFile, clock.now()));
      post("/page/retry", "administer", chosenLettersSchema, async ({ ids }) => {
        const { revived } = reviveDead(await openDispatcher(io), deadFiles(layout, ids), io);
        const text = `${count(revived.length, "delivery", "deliveries")} put back in the queue.`;
        return { isDone: revived.length > 0, text };
      });
      post("/page/discard", "administer", chosenLettersSchema, ({ ids }) => {
        const { length } = discardDead(layout, deadFiles(layout, ids), clock.now());
        return { isDone: length > 0, text: `${count(length, "delivery", "deliveries")} deleted.` };
      });
      for (const tab of parts.tabs) tab.add({ app, access, get, post });

      function guard(context: Context, next: () => Promise<void>): Promise<Response | void> {
        for (const [name, value] of Object.entries(securityHeaders)) context.header(name, value);
        const { method, path, url } = context.req;
        // Who types localhost means the page, which has one address and keys for that one.
        const isElsewhere = new URL(url).host !== new URL(address).host;
        if (origin === undefined && isElsewhere && method === "GET" && path === "/") {
          return Promise.resolve(context.redirect(address));
        }
        access.requireOwnOrigin(context);
        return next().then(() => access.prove(context));
      }
    },
    onListening(url) {
      address = origin ?? url;
      notePage(layout, address);
    },
    end() {
      removePageNote(layout);
      closeStreams();
    },
  };
}

const givenAnswerSchema: z.ZodType<GivenAnswer> = z.object({
  question: z.string().max(200),
  nonce: z.string().max(200),
  words: z.string().max(10_000).optional(),
});

const chosenLettersSchema: z.ZodType<ChosenLetters> = z.object({ ids: z.array(z.string().max(100)).max(500) });

function loadHeadersOf({ req }: Context): LoadHeaders {
  return {
    destination: req.header("sec-fetch-dest"),
    mode: req.header("sec-fetch-mode"),
    isPreload: req.header("service-worker-navigation-preload") !== undefined,
  };
}

/** A worker that another program has put into the browser asks here for its newer version, and is given one that goes. */
function replaceForeignWorker(context: Context, next: () => Promise<void>): Promise<Response | void> {
  const { req } = context;
  const isForeign = req.header("service-worker") === "script" && req.path !== workerPath;
  return isForeign ? Promise.resolve(context.body(readAsset("remover.js"), 200, workerHeaders)) : next();
}

function readAsset(file: string): string {
  const text = readIfThere(join(ownPackageFolder(), "dist/web", file));
  if (text === undefined) throw new HttpProblem(404, "the page is not built; run: npm run build");
  return text;
}

/** A page without a wing has no file of its tab. */
function isBuilt(file: string): boolean {
  return file.startsWith("page.") || statIfThere(join(ownPackageFolder(), "dist/web", file)) !== undefined;
}

function buildId(): string {
  return sha256(Object.keys(assets).filter(isBuilt).map(readAsset).join("")).slice(0, 16);
}
