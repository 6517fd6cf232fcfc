// Pushover's API on loopback, with receipts as its documentation describes them: https://pushover.net/api/receipts
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export const pushoverToken = "a".repeat(30);

export interface PushoverReceipt {
  id: string;
  tags: string[];
  asked: number;
  isRinging: boolean;
}

export interface PretendPushover {
  origin: string;
  titles: string[];
  receipts: PushoverReceipt[];
  /** The person presses "Acknowledge" on the device. */
  acknowledge(receipt: PushoverReceipt | undefined, device: string): void;
  close(): Promise<void>;
}

export async function startPretendPushover(): Promise<PretendPushover> {
  const titles: string[] = [];
  const receipts: PushoverReceipt[] = [];
  const acknowledged = new Map<string, string>();

  const send = (given: Record<string, unknown>): object => {
    const { priority, retry, expire, tags = "", title } = given;
    titles.push(String(title));
    if (priority !== 2) return { status: 1, request: "r" };
    if (Number(retry) < 30 || Number(expire) > 10_800) return { status: 0, errors: ["retry or expire is invalid"] };
    const id = `receipt${String(receipts.length).padStart(23, "0")}`;
    receipts.push({ id, tags: String(tags).split(","), asked: 0, isRinging: true });
    return { status: 1, request: "r", receipt: id };
  };
  const look = (id: string): object => {
    const receipt = receipts.find((each) => each.id === id);
    if (receipt === undefined) return { status: 0, errors: ["receipt not found; may be invalid or expired"] };
    receipt.asked += 1;
    const device = acknowledged.get(id);
    const by = { acknowledged_by: device && "u".repeat(30), acknowledged_by_device: device ?? "" };
    return { status: 1, acknowledged: device === undefined ? 0 : 1, ...by, expired: 0, request: "r" };
  };
  const cancel = (tag: string): object => {
    const ringing = receipts.filter(({ tags, isRinging }) => isRinging && tags.includes(tag));
    for (const receipt of ringing) receipt.isRinging = false;
    return { status: 1, canceled: ringing.length, request: "r" };
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const url = new URL(request.url ?? "/", "http://pushover");
      const given = JSON.parse(Buffer.concat(chunks).toString("utf8") || "{}") as Record<string, unknown>;
      const [, what = "", name = ""] =
        /^\/1\/(messages|receipts\/cancel_by_tag|receipts)(?:\/(\w+))?\.json$/.exec(url.pathname) ?? [];
      const token = request.method === "GET" ? url.searchParams.get("token") : given.token;
      const answers: Record<string, () => object> = {
        "POST messages": () => send(given),
        "GET receipts": () => look(name),
        "POST receipts/cancel_by_tag": () => cancel(name),
      };
      const answer = answers[`${request.method} ${what}`];
      const isWrong = token !== pushoverToken || answer === undefined;
      const body = isWrong ? { status: 0, errors: ["application token is invalid"] } : answer();
      const isRefused = (body as { status: number }).status === 0;
      response.writeHead(isRefused ? 400 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    titles,
    receipts,
    acknowledge(receipt, device) {
      if (receipt === undefined) throw new Error("no receipt");
      receipt.isRinging = false;
      acknowledged.set(receipt.id, device);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
