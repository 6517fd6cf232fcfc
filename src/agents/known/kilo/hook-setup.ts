// How the hooks of Kilo are set up, through a plug-in: https://kilo.ai/docs
import { plugInWith, type HookSetup } from "../../hook-setup.ts";
import { opencodeHookSetup } from "../opencode/hook-setup.ts";
import { opencodePlugIn } from "../opencode/plug-in-text.ts";

/** Kilo is a fork of opencode and loads the same plug-ins. */
const kiloPlugIn = opencodePlugIn.replace('const agent = "opencode";', 'const agent = "kilo";');

export const kiloHookSetup: HookSetup = {
  ...opencodeHookSetup,
  programs: ["kilo", "kilocode"],
  tested: "7.7.9",
  folders: [{ path: ".config/kilo", moved: { env: "XDG_CONFIG_HOME", into: "kilo" } }],
  ownFiles:
    opencodeHookSetup.ownFiles?.map((file) => ({ ...file, text: (call) => plugInWith(kiloPlugIn, call) })) ?? [],
  notificationTypes: {
    permission_prompt: "with a question",
    elicitation_dialog: "with a question that has choices",
    retry: "the model's servers refuse, and Kilo tries again; once a turn",
  },
  nextStep: "restart Kilo: it loads plug-ins when it starts",
};
