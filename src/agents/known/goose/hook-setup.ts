// How the hooks of goose are set up, through a plug-in: https://block.github.io/goose/docs/guides/context-engineering/hooks
import { sampleWords } from "../../sample.ts";
import { claudeEntry, type HookSetup } from "../../hook-setup.ts";

const manifest = {
  name: "hookbell",
  version: "1.0.0",
  description: "Passes goose's events on to hookbell, which notifies you",
};

export const gooseHookSetup: HookSetup = {
  programs: ["goose"],
  folders: [
    {
      path: ".agents/plugins/hookbell",
      sign: { path: ".config/goose", moved: { env: "XDG_CONFIG_HOME", into: "goose" } },
    },
  ],
  files: [{ name: "hooks/hooks.json", shape: "wrapped" }],
  defaultFile: "hooks/hooks.json",
  ownFiles: [
    { name: () => "plugin.json", comment: undefined, text: () => `${JSON.stringify(manifest, undefined, 2)}\n` },
  ],
  events: {
    Stop: { mapsTo: ["Stop"] },
    SessionEnd: { mapsTo: ["SessionEnd"], isSupporting: true },
    UserPromptSubmit: { mapsTo: ["UserPromptSubmit"], isSupporting: true },
  },
  entry: claudeEntry,
  sample: {
    payload: ({ event, session, cwd }) => ({
      event,
      session_id: session,
      message: null,
      last_assistant_message: sampleWords,
      working_dir: cwd,
    }),
  },
  nextStep: "start a new goose session: goose loads plug-ins when a session starts",
};
