import { text } from "node:stream/consumers";
import { request } from "undici";

/** What delivering costs without rules, queue and records: one request after the other, with the body of standard input. */
export async function postLoop(url: string, count: number): Promise<void> {
  const body = await text(process.stdin);
  for (let index = 0; index < count; index += 1) {
    const answer = await request(url, { method: "POST", headers: { "content-type": "application/json" }, body });
    await answer.body.dump();
  }
}
