// Decides which chunk of dist/ a module goes into, so that each command reads few files and little that it does not use.
import { existsSync } from "node:fs";

/** Those of the wings that are here. */
const ofWings = (...paths) =>
  paths.map((path) => `src/wings/${path}`).filter((path) => existsSync(new URL(`../${path}`, import.meta.url)));
/** What a dispatcher runs of them. */
const servicesOfWings = ofWings(
  "fleet/membership.ts",
  "remote/attend-remotes.ts",
  "platform/polls.ts",
  "guard/watch.ts",
);

/**
 * Each layer is one chunk: everything that its programs import and no layer above it has. A program needs its own layer
 * and those above; what one program alone uses stays in that program's chunk.
 */
const layers = [
  { name: "start", programs: ["src/cli/command-line.ts"] },
  { name: "base", programs: ["src/commands/queue/log.ts"] },
  { name: "rules", programs: ["src/commands/queue/status.ts", ...ofWings("guard/commands/unseen.ts")] },
  {
    name: "channels",
    programs: [
      "automation/webhook/webhook.ts",
      "chat/slack/slack.ts",
      "local/desktop/desktop.ts",
      "local/sound/sound.ts",
    ].map((path) => `src/channels/${path}`),
  },
  // It writes deliveries, and sends none.
  { name: "compose", programs: ["src/commands/send/send.ts"] },
  {
    name: "delivery",
    programs: ["src/commands/send/test.ts", "src/commands/send/report.ts", "src/commands/queue/dispatch.ts"],
  },
  // A dispatcher that has begun reads nothing more of these: an upgrade may replace them while it starts.
  { name: "services", programs: ["src/commands/queue/dispatch.ts", ...servicesOfWings] },
];
/** Loaded by every command, or by a dispatcher, also what only it uses. */
const wholeLayers = ["start", "services"];

/** What zod's index names, and only forms of MCP servers need. */
const rarePart = /[\\/]zod[\\/]v4[\\/]classic[\\/]from-json-schema\.js$/;

/** A plug-in that sorts the modules into the layers, and the groups that rolldown makes of them. */
export function chunkLayers(root) {
  const layerOf = new Map();
  const plugin = {
    name: "chunk-layers",
    buildEnd(error) {
      if (error !== undefined) return;
      const sort = (id, name) => {
        const info = this.getModuleInfo(id);
        if (info === null || layerOf.has(id) || rarePart.test(id)) return;
        layerOf.set(id, name);
        for (const imported of info.importedIds) sort(imported, name);
      };
      for (const { name, programs } of layers) {
        for (const path of programs) {
          // Someone has moved the file.
          if (this.getModuleInfo(`${root}${path}`) === null) throw new Error(`${path} of a chunk layer does not exist`);
          sort(`${root}${path}`, name);
        }
      }
    },
  };
  const groups = layers.map(({ name }, index) => ({
    name,
    test: (id) => layerOf.get(id) === name,
    priority: layers.length - index,
    minShareCount: wholeLayers.includes(name) ? 1 : 2,
  }));
  return { plugin, groups };
}
