// What a tab is told that still runs the page of 1.0.0-rc.1: to load the page of now, which asks for its new key.

/** The page of 1.0.0-rc.1 sends its key in it. It counts for nothing here. */
export const oldKeyHeader = "x-hookbell-key";

/** One state without anything in it: that page loads itself anew when the build is another one. */
export function reloadOldPage(build: string): Response {
  const first = { build, groups: [], computers: [], day: { start: 0, projects: [] }, device: { name: "", rights: [] } };
  // The first one that it reads is the one that the others are compared with.
  const events = ["", build].map(
    (each) => `data: ${JSON.stringify({ ...first, build: each, at: 0, host: "", journal: "" })}\n\n`,
  );
  return new Response(events.join(""), { headers: { "content-type": "text/event-stream", connection: "close" } });
}
