// Decides which chunk of dist/ a module goes into, so that each command reads few files and little that it does not use.

/**
 * Each layer is one chunk: everything that its programs import and no layer above it has. A program needs its own layer
 * and those above; what one program alone uses stays in that program's chunk.
 */
const layers = [
  { name: "start", programs: ["src/cli/command-line.ts"] },
  { name: "base", programs: ["src/commands/queue/log.ts"] },
  { name: "rules", programs: ["src/commands/queue/status.ts"] },
  { name: "channels", programs: ["src/channels/automation/webhook/webhook.ts", "src/channels/chat/slack/slack.ts"] },
  {
    name: "delivery",
    programs: ["src/commands/send/test.ts", "src/commands/send/send.ts", "src/commands/queue/dispatch.ts"],
  },
];
/** Loaded by every command, also what only it uses. */
const wholeLayer = "start";

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
    minShareCount: name === wholeLayer ? 1 : 2,
  }));
  return { plugin, groups };
}
