import { expect, it } from "vitest";
import { isNamedSession } from "../../../src/agents/dialect/values.ts";
import { readPayload } from "../../../src/agents/read-payload.ts";
import { fromHost } from "../../../src/pipeline/understand/from-host.ts";

function reading(payload: Record<string, unknown>, agentId = "claude-code") {
  const read = readPayload(JSON.stringify({ hook_event_name: "Stop", ...payload }), { agentId, env: {} });
  if (read.status === "invalid") throw new Error(JSON.stringify(read.problems));
  return read;
}

it("another machine's sessions and folders cannot be those of this one, and no path of it is read here", () => {
  const there = fromHost(
    reading({
      session_id: "s1",
      cwd: "/srv/shop",
      transcript_path: "/etc/passwd",
      agent_transcript_path: "/etc/shadow",
    }),
    "web1",
  );
  expect(there.facts).toMatchObject({ session: "web1:s1", cwd: "web1:/srv/shop" });
  expect(there.usual).toMatchObject({ session_id: "web1:s1", cwd: "web1:/srv/shop" });
  expect(JSON.stringify([there.payload, there.usual])).not.toMatch(/passwd|shadow/);
});

it("a session without a name stays one", () => {
  const nameless = reading({ session_id: "s1", cwd: "/srv/shop" });
  for (const session of ["unknown", "cwd-0123abcd"]) {
    const { facts } = fromHost({ ...nameless, facts: { ...nameless.facts, session } }, "web1");
    expect(isNamedSession(facts.session)).toBe(false);
  }
  expect(isNamedSession("web1:s1")).toBe(true);
});

it("another machine does not speak for hookbell itself", () => {
  expect(fromHost(reading({ session_id: "waiting", cwd: "/" }, "hookbell"), "web1").agentId).toBe("generic");
});
