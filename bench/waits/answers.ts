// From an answer in Telegram until the agent goes on: until its hook has ended. The floor is what Telegram itself takes.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { listQuestions } from "../../src/answers/questions.ts";
import { addSender } from "../../src/answers/senders.ts";
import { ownPackageFolder } from "../../src/system/package.ts";
import {
  ann,
  botToken,
  startPretendTelegram,
  type PretendTelegram,
} from "../../test/support/receivers/pretend-telegram.ts";
import { nowMs } from "../receiver.ts";
import { settingIn, type Setting } from "../setting.ts";
import { stopping } from "../stopping.ts";
import { percentile, type Row, timeRow } from "../table.ts";

/** On loopback. Over the internet, the round trip takes longer, and the rest as long. */
const goal = 3;

export async function reportAnswers(folder: string, rounds: number): Promise<Row[]> {
  const telegram = await startPretendTelegram();
  const setting = settingIn(folder, telegram.origin);
  writeFileSync(join(folder, "config", "rules.jsonc"), JSON.stringify(rulesFor(telegram)));
  addSender(setting.layout, "phone", { type: "telegram", id: String(ann.id), name: "Ann", pairedAt: 0 });
  try {
    const trips: number[] = [];
    for (let round = 0; round < rounds; round += 1) trips.push(await roundTrip(telegram));
    await setting.start();
    const waits: number[] = [];
    for (let round = 0; round < rounds; round += 1) waits.push(await answered(setting, telegram));
    const floor = { name: "round trip", value: percentile(trips, 0.5) };
    return [
      timeRow("round trip: a press, the long poll's answer, and the call that confirms it", trips, floor),
      timeRow("from the press until the agent goes on", waits, floor, goal),
    ];
  } finally {
    await setting.stop();
    await telegram.close();
  }
}

function rulesFor({ origin }: PretendTelegram): object {
  return {
    answers: { allow: ["Bash"], hold: "always" },
    channels: { phone: { type: "telegram", token: botToken, chat: 77, apiUrl: origin, answers: true } },
    rules: [{ name: "asks", when: { event: "PermissionRequest" }, notify: ["phone"] }],
  };
}

/** As a program would do that does nothing else. */
async function roundTrip(telegram: PretendTelegram): Promise<number> {
  const ask = async (method: string, parameters: object): Promise<unknown> => {
    const init = { method: "POST", body: JSON.stringify(parameters) };
    return await (await fetch(`${telegram.origin}/bot${botToken}/${method}`, init)).json();
  };
  const polled = ask("getUpdates", { timeout: 25 });
  while (!telegram.isPolled()) await sleep(5);
  const startedAt = nowMs();
  telegram.tap(ann, { id: 1, chat: 77, text: "", buttons: [], earlier: [] }, "x");
  const { result } = (await polled) as { result: { update_id: number; callback_query: { id: string } }[] };
  const [update] = result;
  await ask("answerCallbackQuery", { callback_query_id: update?.callback_query.id, text: "Allowed" });
  const tookMs = nowMs() - startedAt;
  await ask("getUpdates", { timeout: 0, offset: (update?.update_id ?? 0) + 1 });
  return tookMs;
}

let asked = 0;

async function answered({ env, layout }: Setting, telegram: PretendTelegram): Promise<number> {
  const session = `answers-${(asked += 1)}`;
  const args = [join(ownPackageFolder(), "dist", "hook.cjs"), "--agent", "claude-code", "--answer"];
  const hook = spawn(process.execPath, args, { env, stdio: ["pipe", "ignore", "inherit"] });
  const ended = once(hook, "exit").then(() => nowMs());
  const call = { tool_name: "Bash", tool_input: { command: `echo ${session}.` }, permission_mode: "default" };
  hook.stdin.end(
    JSON.stringify({ hook_event_name: "PermissionRequest", session_id: session, cwd: "/home/you", ...call }),
  );
  // It would wait for five minutes, and start another dispatcher.
  stopping.addEventListener("abort", () => hook.kill("SIGKILL"), { once: true });
  const isShown = (): boolean =>
    listQuestions(layout).some((question) => question.session === session && question.shown.length > 0);
  while (!isShown() || !telegram.isPolled()) {
    stopping.throwIfAborted();
    await sleep(5);
  }
  const card = telegram.messages.find(({ text }) => text.includes(`${session}.`));
  if (card === undefined) throw new Error("no question was shown");
  const allow = card.buttons.find(({ text }) => text === "Allow")?.callback_data ?? "";
  const startedAt = nowMs();
  telegram.tap(ann, card, allow);
  return (await ended) - startedAt;
}
