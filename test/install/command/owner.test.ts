import { describe, expect, it } from "vitest";
import { ownerOf, splitCommand } from "../../../src/install/command/owner.ts";
import { everyRow } from "../../support/rows.ts";

const hookPath = "/home/you/hookbell/dist/hook.cjs";

describe("ownerOf", () => {
  it("knows of every command whether it is ours", () =>
    everyRow(
      [
        ["/usr/bin/node /usr/lib/node_modules/hookbell/dist/hook.cjs --agent droid", "own"],
        [
          "/home/me/.nvm/versions/node/v18.1.0/bin/node '/home/my name/lib/node_modules/hookbell/dist/hook.cjs' --agent droid",
          "own",
        ],
        [
          '"C:/Program Files/nodejs/node.exe" "C:/Users/me/AppData/Roaming/npm/node_modules/hookbell/dist/hook.cjs" --agent droid',
          "own",
        ],
        [
          '"C:\\Program Files\\nodejs\\node.exe" "C:\\npm\\node_modules\\hookbell\\dist\\hook.cjs" --agent droid',
          "own",
        ],
        ["& 'C:/nodejs/node.exe' 'C:/npm/node_modules/hookbell/dist/hook.cjs' --agent gemini", "own"],
        ["/x/node_modules/.pnpm/hookbell@0.1.0/node_modules/hookbell/dist/hook.cjs", "own"],
        ["node /home/you/hookbell/dist/hook.cjs --agent droid", "own"],
        ["node /old/clone/dist/hook.cjs --agent droid", "own"],
        ["/home/me/.local/state/hookbell/hookbell-hook.sh --agent droid", "own"],
        ["'/elsewhere/my state/hookbell-hook.sh' --agent droid", "own"],
        ["sh /elsewhere/hookbell-hook.sh --agent droid", "own"],
        ["exec /elsewhere/hookbell-hook.sh --agent droid; say done", "mixed"],
        ["/elsewhere/my-hookbell-hook.sh", "foreign"],
        ["hookbell hook --agent droid", "own"],
        ["/usr/local/bin/hookbell hook", "own"],
        ["hookbell", "own"],
        ["npx hookbell hook --agent droid", "own"],
        ["tee -a /tmp/log | hookbell hook", "mixed"],
        ["hookbell hook; say done", "mixed"],
        ["sh -c 'true' && node /home/you/hookbell/dist/hook.cjs", "mixed"],
        ["timeout 5 hookbell hook --agent droid", "mixed"],
        ["FOO=1 node /usr/lib/node_modules/hookbell/dist/hook.cjs", "mixed"],
        ["nice node /usr/lib/node_modules/hookbell/dist/hook.cjs", "mixed"],
        ["say 'hookbell hook'", "foreign"],
        ["hookbell status", "foreign"],
        ["echo hookbell", "foreign"],
        ["node /home/me/my-hooks/dist/hook.cjs", "foreign"],
        ["node /home/me/not-hookbell/dist/hook.cjs", "foreign"],
        ["cat /home/me/hookbell/notes.txt", "foreign"],
        ["", "foreign"],
        ["'unclosed", "foreign"],
      ] as const,
      ([command, owner]) => {
        expect(ownerOf(command, [], hookPath, ["/old/clone/dist/hook.cjs"])).toBe(owner);
      },
    ));

  it("reads a program with its arguments apart", () => {
    expect(
      ownerOf("C:/nodejs/node.exe", ["C:/npm/node_modules/hookbell/dist/hook.cjs", "--agent", "droid"], hookPath),
    ).toBe("own");
    expect(ownerOf("C:/nodejs/node.exe", ["C:/other/hook.js"], hookPath)).toBe("foreign");
  });

  it("recognises nothing by an unknown installation", () => {
    expect(ownerOf("say done | cat", [], "")).toBe("foreign");
    expect(ownerOf("node ''", [], "")).toBe("foreign");
  });
});

describe("splitCommand", () => {
  it.each([
    ["a  b\tc ", ["a", "b", "c"]],
    ["'a b'c \"d e\"", ["a bc", "d e"]],
    [String.raw`'it'\''s' a\ b "\"x\\"`, ["it's", "a b", '"x\\']],
    [String.raw`"C:\a b\c.exe" D:\x`, ["C:\\a b\\c.exe", "D:\\x"]],
    ["''", [""]],
    ["", []],
    ["a | b", undefined],
    ["a && b", undefined],
    ["a > b", undefined],
    ["a $(b)", undefined],
    ['a "$(b)"', undefined],
    ["a\nb", undefined],
    ["a 'b", undefined],
    ['a "b', undefined],
  ])("splits %s as a shell does", (command, words) => {
    expect(splitCommand(command)).toEqual(words);
  });
});
