// The tab "Usage" of the page: figures, readiness reports and computers of this server.
import * as z from "zod";
import type { PageTab } from "../../../http-server/served.ts";
import { streamPieces } from "../../../http-server/stream-json.ts";
import type { PlatformParts } from "../server/http/parts.ts";
import { installAgain, watchComputers } from "./computers.ts";
import type { ChosenComputer, UsageNow } from "./contract.ts";
import { createReadiness, hasReports, type OpenPlatform } from "./readiness.ts";
import { countPeople, readUsage, readUsageCsv } from "./usage.ts";

const chosenComputerSchema: z.ZodType<ChosenComputer> = z.object({ computer: z.string().max(200) });

/** `openPlatform` is the client of the agent platform, if one is configured. */
export function createUsageTab(parts: PlatformParts, openPlatform: OpenPlatform): PageTab {
  const computers = watchComputers(parts);
  const readReadiness = createReadiness(parts, openPlatform);
  /** One that is configured wrongly says what is wrong where its reports would stand. */
  let hasPlatform = true;
  let asking: Promise<void> | undefined;
  // It may be configured while the page is open.
  const askForPlatform = (): void => {
    asking ??= openPlatform(() => {})
      .then(
        (client) => void (hasPlatform = client !== undefined),
        () => void (hasPlatform = true),
      )
      .finally(() => (asking = undefined));
  };
  return {
    name: "usage",
    add({ app, access, get, post }) {
      askForPlatform();
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
    now: {
      current: (): UsageNow => {
        askForPlatform();
        const known = computers.current();
        const views = {
          users: parts.keys().length > 0 || countPeople(parts) > 1,
          readiness: hasPlatform || hasReports(parts),
          computers: known.length > 0,
        };
        return { computers: known, views };
      },
      watch: computers.watch,
    },
  };
}
