// What `hookbell replay` adds to the server: the page's tab "What if".
import type { OpenPart } from "../../console/command.ts";
import { createWhatIf, maxWhatIfBytes, readOwnRules, whatIfSchema } from "./page-tab/what-if.ts";

export const openWhatIf: OpenPart = async ({ io }) => {
  const whatIf = createWhatIf(io);
  return {
    add() {},
    tab: {
      name: "what-if",
      add({ app, access, get }) {
        get("/page/rules", "administer", async () => await readOwnRules(io.places.rulesFile));
        app.post("/page/replay", async (context) => {
          const device = access.requireDevice(context, "administer");
          const asked = await access.readBody(context, device.id, whatIfSchema, maxWhatIfBytes);
          return whatIf.open(asked, () => access.currentDevice(context));
        });
      },
    },
    end: whatIf.close,
  };
};
