// The wing with the page in a browser.
import { effectOfVerb, type Wing } from "../../console/command.ts";
import { pageCommands } from "./help.ts";

export const pageWing: Wing = {
  name: "page",
  commands: { devices: { effect: effectOfVerb, load: async () => (await import("./trust/devices.ts")).devices } },
  help: { server: pageCommands },
  serves: {
    details: [
      "The page shows this machine's sessions, what they ask and who was told: pair a browser with `hookbell devices add`.",
    ],
    load: async () => (await import("./serve.ts")).openPage,
  },
  checks: [{ area: "page", load: async () => (await import("./doctor.ts")).examinePage }],
};
