/** Hands one event to the plug-in module that is named first, as its agent does; the event is JSON behind it. */
const runner = `(async () => {
  const [path, payload] = process.argv.slice(1);
  const { Hookbell } = await import(require("node:url").pathToFileURL(path).href);
  const { directory, ...event } = JSON.parse(payload);
  await (await Hookbell({ directory })).event({ event });
})()`;

/** The agent runs such a module itself; here Node does. The event is to follow. */
export function plugInRunner(path: string): [string, ...string[]] {
  return [process.execPath, "--no-warnings", "-e", runner, path];
}
