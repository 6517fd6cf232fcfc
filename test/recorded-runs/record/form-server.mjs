// An MCP server with one tool, which asks the person to fill in a form before it answers.
import { createInterface } from "node:readline";

const requestedSchema = {
  type: "object",
  properties: { color: { type: "string", title: "Color", enum: ["red", "blue"] } },
};
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
let calling;

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params, result } = JSON.parse(line);
  if (method === "initialize") {
    const serverInfo = { name: "shop", version: "1.0.0" };
    send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } });
  } else if (method === "tools/list") {
    const inputSchema = { type: "object", properties: {} };
    send({ id, result: { tools: [{ name: "ask_color", description: "Asks for a color", inputSchema }] } });
  } else if (method === "tools/call") {
    calling = id;
    send({ id: "form", method: "elicitation/create", params: { message: "Which color is it?", requestedSchema } });
  } else if (id === "form") {
    send({ id: calling, result: { content: [{ type: "text", text: JSON.stringify(result ?? {}) }] } });
  } else if (id !== undefined && method !== undefined) {
    send({ id, result: {} });
  }
}
