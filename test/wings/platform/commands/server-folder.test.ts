import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { dataDirOf } from "../../../../src/wings/platform/commands/server-folder.ts";
import { commandIo } from "../../../support/project/command-io.ts";
import { temporaryFolder } from "../../../support/project/temporary-state.ts";

describe.runIf(process.platform !== "win32")("the server's data folder", () => {
  const placed = (): { folder: string; computers: string; read(): string } => {
    const home = temporaryFolder();
    const folder = join(home, "data");
    mkdirSync(folder, { mode: 0o700 });
    const computers = join(folder, "computers.json");
    writeFileSync(computers, "[]", { mode: 0o600 });
    return { folder, computers, read: () => dataDirOf("data", commandIo(home)) };
  };

  it("is used while no other user can change what is in it", () => {
    const { folder, read } = placed();
    expect(read()).toBe(folder);
  });

  it.each(["folder", "computers"] as const)("is refused when others can write its %s", (what) => {
    const { read, ...paths } = placed();
    chmodSync(paths[what], 0o777);
    expect(read).toThrow(`${paths[what]} can be changed by other users (mode 777)`);
  });
});
