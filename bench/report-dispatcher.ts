import { join } from "node:path";
import { measureDrain } from "./measure-drain.ts";
import { idleMegabytes, idleNodeMegabytes } from "./memory.ts";
import type { Receiver } from "./receiver.ts";
import { settingIn } from "./setting.ts";
import { valueRow, type Row } from "./table.ts";

/** How fast a backlog drains, and what memory the dispatcher takes meanwhile and at rest. */
export async function reportDispatcher({
  folder,
  receiver,
  count,
}: {
  folder: string;
  receiver: Receiver;
  count: number;
}): Promise<Row[]> {
  const path = "/drain";
  const setting = settingIn(join(folder, "drain"), `${receiver.origin}${path}`);
  try {
    const idle = await idleMegabytes(await setting.start());
    await setting.stop();
    const node = { name: "`node -e` at rest", value: await idleNodeMegabytes() };
    const drained = await measureDrain(setting, count, receiver, path);
    const loop = { name: "a loop of the same POSTs", value: drained.postsPerSecond };
    return [
      valueRow(`a backlog of ${count} events to one webhook`, drained.eventsPerSecond, "a second", loop),
      valueRow("memory of the dispatcher at rest", idle, "MB", node),
      valueRow("memory of the dispatcher while it drains, at most", drained.megabytes, "MB", node),
    ];
  } finally {
    await setting.stop();
  }
}
