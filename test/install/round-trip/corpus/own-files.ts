// Files of our own, and what others may have put in their places or beside them.
import { bytes } from "../install.ts";
import type { FoundFiles } from "./found-files.ts";

const scripts: Record<string, string> = {
  "a person's script": "#!/bin/sh\ncat >/dev/null\necho '{}'\n",
  "a person's script in Node": "#!/usr/bin/env node\nconsole.log('{}')\n",
  "an empty file": "",
  "a text": "not a program\n",
  "something in another alphabet": "#!/bin/sh\n# ключ\necho 🔔\n",
  "a plug-in of others'": "export const Mine = async () => ({ event: async () => {} });\n",
  "a script that mentions us": "#!/bin/sh\n# see hookbell\necho '{}'\n",
  "Windows line ends": "#!/bin/sh\r\nexit 0\r\n",
};

export const filesInOurPlace: readonly FoundFiles[] = (["cline", "opencode", "goose"] as const).flatMap((agent) => {
  const names =
    agent === "cline"
      ? ["TaskComplete", "TaskError", "Notification", "TaskStart", "SessionShutdown"]
      : [agent === "goose" ? "plugin.json" : "plugins/hookbell.js"];
  const others = agent === "cline" ? "TaskCancel" : "plugins/other.js";
  return [
    { name: `${agent}: nothing there`, agent, files: {} },
    ...Object.entries(scripts).flatMap(([what, text]): FoundFiles[] => [
      ...names.map((name) => ({
        name: `${agent}: ${what} as ${name}`,
        agent,
        files: { [name]: bytes(text) },
        refused: /is not hookbell's/,
      })),
      { name: `${agent}: ${what} under another name`, agent, files: { [others]: bytes(text) } },
    ]),
  ];
});
