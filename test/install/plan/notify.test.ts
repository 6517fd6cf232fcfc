// init and uninstall remove the `notify` line that hookbell once wrote for Codex, and change nothing else of the file.
import { describe, expect, it } from "vitest";
import { bytes, textOf, unwire, wire } from "../round-trip/wire.ts";

const lines = (...each: string[]): string => each.join("\n");
const model = 'model = "gpt-5"';
const tables = lines("[tui]", "notifications = true", "", "[features]", "hooks = true", "");
const tomlTexts: Record<string, string> = {
  "one key": `${model}\n`,
  "no final newline": model,
  "keys and tables": lines(model, 'sandbox_mode = "workspace-write"', "", tables),
  "tables alone": tables,
  "tables without a final newline": tables.trimEnd(),
  comments: lines("# mine", "#:schema https://example.org/s.json", `${model} # the best`, "# before the table", tables),
  "a comment alone": "# nothing yet\n",
  "blank lines": `\n\n${model}\n\n\n${tables}\n`,
  "an array over lines": lines("list = [", '  "a", # first', '  "b",', "]", model, "", tables),
  "texts over lines": lines('text = """', 'notify = ["not me"]', '"""', "raw = '''", "[tui]", "'''", model, ""),
  "dotted keys": lines("a.b.c = 1", 'x."notify" = ["y"]', "", tables),
  "notify below a table": lines(model, "[mine]", 'notify = ["say"]', ""),
  "inline tables": lines("point = { x = 1, notify = [] }", model, ""),
  "arrays of tables": lines(model, "[[hooks.Stop]]", 'command = "x"', "[[hooks.Stop]]", 'command = "y"', ""),
  "quoted keys": lines('"model" = "x"', "'other' = 1", ""),
  "dates and numbers": lines("d = 1979-05-27T07:32:00Z", "n = 0xDEAD_BEEF", "f = 6.626e-34", "i = inf", ""),
  "hooks trusted by hash": lines(model, '[hooks.state."/x/hooks.json:stop:0:0"]', 'trusted_hash = "sha256:0"', ""),
  "other alphabets": lines('name = "ключ 🔔 \\u00e9"', ""),
};

const hook = "/opt/node_modules/hookbell/dist/hook.cjs";
const nodeScript =
  'require("child_process").spawnSync(process.execPath,process.argv.slice(1,-1),{input:process.argv.at(-1),windowsHide:true})';
const ownWords = {
  posix: ["/bin/sh", "-c", `printf %s "$1" | /usr/bin/node ${hook} --agent codex`, "hookbell"],
  Windows: ["C:\\node.exe", "-e", nodeScript, "C:\\x\\node_modules\\hookbell\\dist\\hook.cjs", "--agent", "codex"],
};
const lineOf = (words: readonly string[]): string => `notify = ${JSON.stringify(words)}`;
const codexAfter = (text: string): { text: string | undefined; warnings: string[]; events: number } => {
  const { plan, files } = wire("codex", { "config.toml": bytes(text) });
  expect(plan.problems).toEqual([]);
  return { text: textOf(files["config.toml"]), warnings: plan.warnings, events: plan.events.length };
};

describe.each(Object.entries(ownWords))("the notify line that hookbell wrote on %s", (_name, words) => {
  it.each(Object.entries(tomlTexts))("is removed from a file with %s, and nothing else", (_shape, text) => {
    expect(codexAfter(`${lineOf(words)}\n${text}`).text).toBe(text);
    const crlf = text.replaceAll("\n", "\r\n");
    expect(codexAfter(`\uFEFF${model}\r\n${lineOf(words)}\r\n`).text).toBe(`\uFEFF${model}\r\n`);
    expect(codexAfter(`${lineOf(words)}\r\n${crlf}`).text).toBe(crlf);
  });

  it("is removed by uninstall, with the file if nothing is left", () => {
    const file = { "config.toml": bytes(`${lineOf(words)}\n`) };
    expect(textOf(unwire("codex", file, {})["config.toml"])).toBe("");
  });
});

describe("a notify that hookbell did not write", () => {
  it.each([
    ["another program", 'notify = ["say", "done"]\n'],
    ["another program, under a quoted key", '"notify" = ["say", "hookbell"]\n'],
    ["a text", 'notify = "hookbell hook"\n'],
    ["a file that is not TOML", "notify = [ hookbell\n"],
  ])("stays: %s", (_name, text) => {
    expect(codexAfter(text)).toMatchObject({ text, warnings: [] });
    expect(codexAfter(text).events).toBeGreaterThan(0);
  });

  it.each([
    ["calls other programs too", `notify = ["sh", "-c", "say done; hookbell hook --agent codex"]\n`],
    ["was spread over lines", `notify = [\n${ownWords.posix.map((word) => JSON.stringify(word)).join(",\n")}\n]\n`],
  ])("stays, with a warning, if it %s", (_name, text) => {
    expect(codexAfter(text)).toMatchObject({ text, warnings: [expect.stringContaining("remove it yourself")] });
  });
});
