// The tab "Usage" of the page: figures, readiness reports and computers of this server.
import * as z from "zod";
import type { PageTab } from "../../../http-server/served.ts";
import { streamPieces } from "../../../http-server/stream-json.ts";
import type { PlatformParts } from "../server/http/parts.ts";
import { installAgain, watchComputers } from "./computers.ts";
import type { ChosenComputer, ComputersNow } from "./contract.ts";
import { createReadiness, type OpenPlatform } from "./readiness.ts";
import { readUsage, readUsageCsv } from "./usage.ts";

const chosenComputerSchema: z.ZodType<ChosenComputer> = z.object({ computer: z.string().max(200) });

/** `openPlatform` is the client of the agent platform, if one is configured. */
export function createUsageTab(parts: PlatformParts, openPlatform: OpenPlatform): PageTab {
  const computers = watchComputers(parts);
  const readReadiness = createReadiness(parts, openPlatform);
  return {
    name: "usage",
    add({ app, access, get, post }) {
      get("/page/usage", "read", async ({ req }) => await readUsage(parts, req.query()));
      app.get("/page/usage.csv", async (context) => {
        access.requireDevice(context, "read");
        const { file, pieces } = await readUsageCsv(parts, context.req.query());
        const headers = {
          "content-type": "text/csv; charset=utf-8",
          "content-disposition": `attachment; filename="${file}"`,
        };
        return streamPieces(pieces, headers);
      });
      get("/page/readiness", "read", readReadiness);
      post("/page/install", "administer", chosenComputerSchema, ({ computer }) => installAgain(parts, computer));
    },
    now: { current: (): ComputersNow => ({ computers: computers.current() }), watch: computers.watch },
  };
}
