import { describe, expect, it } from "vitest";
import { startHttpReceiver } from "../support/http-receiver.ts";
import { prepareDispatcher } from "../support/running-dispatcher.ts";

describe("the agent's words", () => {
  it("leave the machine only as far as each channel says", async () => {
    const receiver = await startHttpReceiver();
    const running = prepareDispatcher();
    const url = (name: string): string => `${receiver.origin}/${name}`;
    running.writeRules({
      channels: {
        none: { type: "webhook", url: url("none"), payload: true, content: "none" },
        usual: { type: "webhook", url: url("usual") },
        full: { type: "webhook", url: url("full"), content: "full" },
      },
      rules: [{ name: "all", notify: ["none", "usual", "full"], body: "{message} {payload.last_assistant_message}" }],
    });
    const message = `Sesame ${"word ".repeat(200)}end`;
    running.accept("Stop", { last_assistant_message: message });
    await running.run({ idleMs: 0 });
    const bodies = new Map(receiver.requests.map(({ path, body }) => [path, body]));
    expect(bodies.get("/none")).not.toContain("Sesame");
    expect(bodies.get("/none")).toContain("shop-web");
    const usual = JSON.parse(bodies.get("/usual") ?? "") as { data: { event: { message: string } } };
    expect(usual.data.event.message).toMatch(/^Sesame (word )+.*…$/);
    expect(usual.data.event.message.length).toBeLessThan(400);
    expect(JSON.parse(bodies.get("/full") ?? "")).toMatchObject({ data: { event: { message } } });
  });
});
