// The questions of `channels add`, answered by a script: what they ask, and what becomes of the answers.
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { AskMore, Option } from "../../../../src/console/ask.ts";
import { channelTypeNames } from "../../../../src/channels/index.ts";
import { adviceForPhones } from "../../../../src/commands/channels/add/try.ts";
import { addChannelCommand } from "../../../../src/commands/channels/add/add.ts";
import { UserError } from "../../../../src/model/errors.ts";
import { ann, botToken, mallory, startPretendTelegram } from "../../../support/receivers/pretend-telegram.ts";
import { commandIo } from "../../../support/project/command-io.ts";

let home = "";
let configDir = "";
let rulesFile = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "hookbell-add-"));
  configDir = join(home, "config");
  rulesFile = join(configDir, "rules.jsonc");
  mkdirSync(configDir);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** An answer for the first question that has not been answered and matches; `undefined` walks away. */
type Answer = [question: RegExp, answer: string | string[] | boolean | RegExp | undefined | (() => boolean | string)];

interface Run {
  code: number;
  stdout: string;
  stderr: string;
  /** Every question, with what it said of refused answers. */
  asked: string[];
  /** The options of the last question with options. */
  options: Option[];
  notes: string[];
}

async function run(args: string[], answers: Answer[]): Promise<Run> {
  const result: Run = { code: -1, stdout: "", stderr: "", asked: [], options: [], notes: [] };
  const left = [...answers];
  const next = (question: string): unknown => {
    result.asked.push(question);
    const at = left.findIndex(([wanted]) => wanted.test(question));
    if (at === -1) throw new Error(`no one answers: ${question}`);
    const [[, answer] = [/./, undefined]] = left.splice(at, 1);
    return typeof answer === "function" ? answer() : answer;
  };
  const ask: AskMore = {
    choose: (question) => Promise.resolve(next(question) as string[] | undefined),
    chooseAny: (question) => Promise.resolve(next(question) as string[] | undefined),
    confirm: (question) => Promise.resolve(next(question) as boolean | undefined),
    pick(question, options) {
      const wanted = next(question) as string | RegExp | undefined;
      result.options = [...options];
      const values = options.map(({ value }) => value);
      const answer = wanted instanceof RegExp ? values.find((value) => wanted.test(value)) : wanted;
      if (wanted !== undefined) expect(values).toContain(answer);
      return Promise.resolve(answer);
    },
    note(text) {
      result.notes.push(text);
      return Promise.resolve();
    },
    text(question, { problemOf, usual }) {
      for (;;) {
        const typed = next(question) as string | undefined;
        const answer = typed === "" ? (usual ?? "") : typed;
        const problem = answer === undefined ? undefined : problemOf(answer);
        if (problem === undefined) return Promise.resolve(answer);
        result.asked.push(`refused: ${problem}`);
      }
    },
  };
  const env = {
    HOME: home,
    HOOKBELL_CONFIG_DIR: configDir,
    HOOKBELL_STATE_DIR: join(home, "state"),
    PATH: process.env.PATH,
  };
  const io = commandIo(home, {
    stdout: (text) => void (result.stdout += text),
    stderr: (text) => void (result.stderr += text),
    isTerminal: true,
    isStdinTerminal: true,
    env,
  });
  try {
    result.code = await addChannelCommand(args, io, ask);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    result.code = error.exitCode;
    result.stderr += `${error.message}\n${error.hint ?? ""}`;
  }
  expect(left, "answers that no one asked for").toEqual([]);
  return result;
}

const rules = (): string => readFileSync(rulesFile, "utf8");
const small = '{ "channels": { "a": { "type": "desktop" } }, "rules": [{ "name": "all", "notify": ["a"] }] }\n';

describe("channels add at a terminal", () => {
  it("asks for the type, for what it needs, and for nothing that is known", async () => {
    writeFileSync(rulesFile, small);
    const { code, asked } = await run(
      ["--set", "topic.env=TOPIC", "--no-test"],
      [
        [/^What kind of channel/, "ntfy"],
        [/be called/, "phone"],
        [/^Any other setting/, []],
        [/^Which events should notify "phone"/, "custom"],
        [/^When should "phone" be notified/, ["0", "attention"]],
        [/^When should "phone" ring/, "always"],
        [/^Write this/, true],
      ],
    );
    expect(code).toBe(0);
    expect(asked).toHaveLength(7);
    expect(rules()).toBe(
      '{ "channels": { "a": { "type": "desktop" }, "phone": { "type": "ntfy", "topic": { "env": "TOPIC" } } }, "rules": [{ "name": "all", "notify": ["a", "phone"] }, { "name": "phone: needs me", "when": { "level": ["attention", "error"] }, "notify": ["phone"] }] }\n',
    );
  });

  it("offers what cannot work on this machine last, and says why", async () => {
    const { options } = await run([], [[/^What kind of channel/, undefined]]);
    const broken = options.filter(({ hint }) => hint !== undefined);
    // The test's environment has no desktop.
    expect(broken.find(({ value }) => value === "desktop")?.hint).toMatch(/^not on this machine: ./);
    expect(options.slice(-broken.length)).toEqual(broken);
    expect(options.map(({ value }) => value).toSorted()).toEqual(channelTypeNames.toSorted());
  });

  it("judges each answer at once, in the words of check", async () => {
    const { code, asked } = await run(
      ["telegram", "--events", "every", "--no-test"],
      [
        [/be called/, "desktop"],
        [/be called/, " "],
        [/be called/, "me"],
        [/^token: The bot's token/, "typed"],
        [/^token:$/, "12345"],
        [/^token:$/, "123456789:AbCdEfGhIjKlMnOpQrStUvWx"],
        [/^chat:/, "type"],
        [/^chat:/, "my friend"],
        [/^chat:/, "-100123"],
        [/^Any other setting/, ["update"]],
        [/^update:/, "replace"],
        [/^When should "me" ring/, "always"],
        [/^Answer agents/, false],
        [/^Write this/, true],
      ],
    );
    expect(code).toBe(0);
    expect(asked.filter((each) => each.startsWith("refused: "))).toEqual([
      'refused: there is already a channel "desktop"',
      expect.stringMatching(/^refused: a name starts with/),
      expect.stringMatching(/^refused: the token is not a bot's token/),
      expect.stringMatching(/^refused: expected a chat's id/),
    ]);
    expect(rules()).toContain('"update": "replace"');
    expect(readFileSync(join(configDir, "me.token"), "utf8")).toBe("123456789:AbCdEfGhIjKlMnOpQrStUvWx\n");
    expect(asked.join("\n")).not.toContain("AbCdEf");
  });

  it.each<[string, string, string]>([
    ["a webhook elsewhere", "https://example.org/hooks/abcdefgh12345678", "url: https://example.org/…, 42 characters"],
    [
      "a plain one of this machine",
      "http://localhost:8901/hook",
      "url: http://localhost:8901/hook contains no secret, so it stays in the rules file",
    ],
  ])("shows of what was typed unseen what is no secret: %s", async (_, url, note) => {
    const { code, notes } = await run(
      ["mattermost", "--name", "team", "--events", "none", "--no-test"],
      [
        [/^url: /, "typed"],
        [/^url:$/, url],
        [/^Write this/, true],
      ],
    );
    expect({ code, notes }).toEqual({ code: 0, notes: [note] });
    expect(rules().includes(url)).toBe(note.includes("stays in the rules file"));
  });

  it("shows of another secret how long it is", async () => {
    const answers: Answer[] = [
      [/^token: /, "typed"],
      [/^token:$/, "A:b3cret12345678"],
      [/^Any other setting/, []],
      [/^Write this/, true],
    ];
    const server = ["--set", "homeserver=https://m.example.org", "--set", "room=!a:example.org"];
    const { notes } = await run(["matrix", "--name", "me", ...server, "--events", "none", "--no-test"], answers);
    expect(notes).toEqual(["token: 16 characters"]);
  });

  it("makes up a topic that no one guesses, another each time, and shows it once", async () => {
    const topicOf = async (name: string): Promise<string> => {
      const { notes } = await run(
        ["ntfy", "--name", name, "--events", "none", "--no-test"],
        [
          [/^topic: /, "random"],
          [/^Any other setting/, []],
          [/^Write this/, true],
        ],
      );
      const topic = readFileSync(join(configDir, `${name}.topic`), "utf8").trim();
      expect(topic).toMatch(/^hookbell-[0-9a-f]{24}$/);
      expect(notes).toEqual([expect.stringMatching(`^topic: ${topic}$`)]);
      return topic;
    };
    expect(await topicOf("one")).not.toBe(await topicOf("two"));
  });

  it("judges where a secret comes from, too", async () => {
    const { code, asked } = await run(
      ["ntfy", "--name", "me", "--events", "every", "--no-test"],
      [
        [/^topic: /, "file"],
        [/^Path of the file/, "my-token"],
        [/^Path of the file/, "~/my-token"],
        [/^Any other setting/, []],
        [/^When should "me" ring/, "always"],
        [/^Write this/, true],
      ],
    );
    expect(code).toBe(0);
    expect(asked.filter((each) => each.startsWith("refused: "))).toEqual([
      "refused: expected an absolute path, or one that starts with ~/",
    ]);
    expect(rules()).toContain('"topic": { "file": "~/my-token" }');
  });

  it("asks which of several settings there are where one of them will do", async () => {
    const { code } = await run(
      ["slack", "--name", "team", "--events", "none", "--no-test"],
      [
        [/^How should it reach slack/, /^A bot/],
        [/^token:/, "env"],
        [/^Name of the variable/, "SLACK_TOKEN"],
        [/^channel:/, "#agents"],
        [/^Any other setting/, []],
        [/^Write this/, true],
      ],
    );
    expect(code).toBe(0);
    expect(rules()).toContain('"team": { "type": "slack", "token": { "env": "SLACK_TOKEN" }, "channel": "#agents" }');
  });

  it("asks a webhook for nothing that a bot takes", async () => {
    const { code } = await run(
      ["slack", "--name", "team", "--events", "none", "--no-test"],
      [
        [/^How should it reach slack/, /webhook/],
        [/^url:/, "env"],
        [/^Name of the variable/, "SLACK_URL"],
        [/^Write this/, true],
      ],
    );
    expect(code).toBe(0);
    expect(rules()).toContain('"team": { "type": "slack", "url": { "env": "SLACK_URL" } }');
  });

  it("asks for the parts of a mail server, and encodes what a URL cannot hold", async () => {
    const { code, asked } = await run(
      ["email", "--name", "mail", "--set", "from=me@example.org", "--set", "to=a@example.org, b@example.org"].concat([
        "--events",
        "none",
        "--no-test",
      ]),
      [
        [/^smtp:/, "typed"],
        [/^Host of the mail server/, "a b"],
        [/^Host of the mail server/, "smtp.example.org"],
        [/encrypted/, "smtp"],
        [/^Port/, "587"],
        [/^User/, "me@example.org"],
        [/^Password/, "p@ss/w:rd%"],
        [/^Any other setting/, []],
        [/^Write this/, true],
      ],
    );
    expect(code).toBe(0);
    expect(asked).toContain("refused: expected a host name");
    const url = readFileSync(join(configDir, "mail.smtp"), "utf8");
    expect(url).toBe("smtp://me%40example.org:p%40ss%2Fw%3Ard%25@smtp.example.org:587\n");
    expect(rules()).toContain('"to": ["a@example.org", "b@example.org"]');
  });

  it("takes a mail server's URL that is pasted in place of the host", async () => {
    const set = ["--set", "from=me@example.org", "--set", "to=a@example.org"];
    const { code, asked } = await run(
      ["email", "--name", "mail", ...set, "--events", "none", "--no-test"],
      [
        [/^smtp:/, "typed"],
        [/^Host of the mail server/, "smtp://me:pw@"],
        [/^Host of the mail server/, "smtps://me:pw@smtp.example.org:465"],
        [/^Any other setting/, []],
        [/^Write this/, true],
      ],
    );
    expect(code).toBe(0);
    expect(asked.filter((each) => each.startsWith("refused: "))).toHaveLength(1);
    expect(readFileSync(join(configDir, "mail.smtp"), "utf8")).toBe("smtps://me:pw@smtp.example.org:465\n");
  });

  it.each([
    ["attention", ["needs me"]],
    ["attention,finished", ["needs me", "done"]],
    ["every", ["everything"]],
  ])("makes the rules of the choice %s", async (choice, names) => {
    const answers: Answer[] = [
      [/^Any other setting/, []],
      [/^Which events should notify "screen"/, choice],
      ...(choice.includes("attention") || choice === "every" ? [[/^Answer agents/, false] as Answer] : []),
      [/^Write this/, true],
    ];
    writeFileSync(rulesFile, small);
    expect((await run(["desktop", "--name", "screen", "--no-test"], answers)).code).toBe(0);
    const { rules: written } = JSON.parse(rules()) as { rules: { name: string }[] };
    expect(written.map(({ name }) => name)).toEqual(["all", ...names.map((name) => `screen: ${name}`)]);
  });

  it.each([
    ["away", { away: "60s" }],
    ["always", {}],
  ])("makes a phone ring %s", async (when, expected) => {
    writeFileSync(rulesFile, small);
    const base = [
      "gotify",
      "--name",
      "phone",
      "--set",
      "server=https://g.example.org",
      "--set",
      "token=A1234567890abcd",
    ];
    const args = [...base, "--events", "attention", "--no-test"];
    const answers: Answer[] = [
      [/^When should "phone" ring/, when],
      [/^Write this/, true],
    ];
    expect((await run(args, answers)).code).toBe(0);
    const { rules: written } = JSON.parse(rules()) as { rules: object[] };
    const rule = { name: "phone: needs me", when: { level: ["attention", "error"] }, notify: ["phone"], ...expected };
    expect(written.at(-1)).toEqual(rule);
    writeFileSync(rulesFile, small);
    expect((await run([...args, "--yes", "--when", when], [])).code).toBe(0);
    expect((JSON.parse(rules()) as { rules: object[] }).rules.at(-1)).toEqual(rule);
  });

  it("names the values of --when", async () => {
    const { code, stderr } = await run(["gotify", "--events", "every", "--when", "awy", "--yes"], []);
    expect(code).toBe(64);
    expect(stderr).toContain('--when "awy": did you mean "away"?');
  });

  it("turns answers on where the channel can carry them, and says what is left to do", async () => {
    writeFileSync(rulesFile, small);
    const { code, stdout } = await run(
      ["telegram", "--name", "me", "--set", "token.env=TOKEN", "--set", "chat=1", "--events", "attention", "--no-test"],
      [
        [/^Any other setting/, []],
        [/^When should "me" ring/, "always"],
        [/^Answer agents through "me"/, true],
        [/^Write this/, true],
      ],
    );
    expect(code).toBe(0);
    expect(JSON.parse(rules())).toMatchObject({ answers: {}, channels: { me: { answers: true } } });
    expect(stdout).toContain("run: hookbell init, then hookbell channels pair me\n");
    expect(stdout).toContain("you can deny and reply");
  });

  it("shows where to subscribe before the test, as a link and a code", async () => {
    const { stdout } = await run(
      ["ntfy", "--name", "phone", "--set", "topic=t-1", "--events", "none"],
      [
        [/^Any other setting/, []],
        [/^Send a test/, false],
        [/^Write this/, true],
      ],
    );
    expect(stdout).toContain("https://ntfy.sh/t-1\n");
    expect(stdout).toMatch(/(?:[█▀▄ ]{25,}\n){13,}/);
    expect(stdout).toContain("keep it secret");
  });

  it("shows no code for an address that a phone cannot reach", async () => {
    const { stdout } = await run(
      ["ntfy", "--name", "phone", "--set", "topic=t-1", "--set", "server=http://127.0.0.1:8090", "--events", "none"],
      [
        [/^Any other setting/, []],
        [/^Send a test/, false],
        [/^Write this/, true],
      ],
    );
    expect(stdout).toContain("A phone cannot reach 127.0.0.1");
    expect(stdout).not.toMatch(/[█▀▄]/);
  });

  it("names the addresses that a phone may reach instead", () => {
    const advice = adviceForPhones("http://localhost:8090/t-1", ["192.168.1.5", "10.0.0.2"]);
    expect(advice).toContain("subscribe to http://192.168.1.5:8090/t-1 or http://10.0.0.2:8090/t-1.");
    expect(adviceForPhones("http://127.0.0.1/t-1", [])).toContain("no other address");
  });

  it("can be given up after a test that failed, or written all the same", async () => {
    const args = ["command", "--name", "mine", "--set", "argv=hookbell-no-such-program", "--events", "none"];
    const answers: Answer[] = [
      [/^Any other setting/, []],
      [/^Send a test/, true],
    ];
    expect((await run(args, [...answers, [/^What now/, "stop"]])).code).toBe(1);
    expect(readdirSync(configDir)).toEqual([]);
    expect((await run(args, [...answers, [/^What now/, "write"], [/^Write this/, true]])).code).toBe(0);
    expect(rules()).toContain("hookbell-no-such-program");
  });

  it("is given up where no one says whether the test was heard", async () => {
    const { code, stderr } = await run(
      ["speech", "--name", "voice", "--set", "volume=0", "--events", "every"],
      [
        [/^Any other setting/, []],
        [/^Send a test/, true],
        [/^Did you hear it/, undefined],
      ],
    );
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: "hookbell: nothing was written\n",
    });
    expect(existsSync(rulesFile)).toBe(false);
  });

  it("asks before anything goes unencrypted to another machine", async () => {
    const { code } = await run(
      ["matrix", "--name", "m", "--set", "room=!a:example.org", "--events", "none", "--no-test"],
      [
        [/^homeserver:/, "http://matrix.lan"],
        [/http:\/\/ to another machine/, false],
        [/^homeserver:/, "http://matrix.lan:8080"],
        [/http:\/\/ to another machine/, true],
        [/^token:/, "command"],
        [/^The program/, "pass show matrix"],
        [/^Any other setting/, []],
        [/^Write this/, true],
      ],
    );
    expect(code).toBe(0);
    expect(rules()).toContain('"homeserver": "http://matrix.lan:8080"');
    expect(rules()).toContain('"allowHttp": true');
    expect(rules()).toContain('"token": { "command": ["pass", "show", "matrix"] }');
  });

  it("lets a setting be changed until the test works", async () => {
    const argv = [process.execPath, "--version"];
    const { code, stdout } = await run(
      ["command", "--name", "mine", "--set", "argv=hookbell-no-such-program", "--events", "none"],
      [
        [/^Any other setting/, []],
        [/^Send a test/, true],
        [/^What now/, ".argv"],
        [/^argv:/, JSON.stringify(argv)],
        [/^Write this/, true],
      ],
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/failed \(unavailable\)[\s\S]*delivered in/);
    for (const word of argv) expect(rules()).toContain(JSON.stringify(word));
  });

  it.each<[string, Answer[]]>([
    ["the name", [[/be called/, undefined]]],
    [
      "a setting",
      [
        [/be called/, "x"],
        [/^topic:/, undefined],
      ],
    ],
    [
      "the secret itself",
      [
        [/be called/, "x"],
        [/^topic:/, "typed"],
        [/^topic:$/, undefined],
      ],
    ],
    [
      "the test",
      [
        [/be called/, "x"],
        [/^topic:/, "typed"],
        [/^topic:$/, "t-1"],
        [/^Any other/, []],
        [/^Send/, undefined],
      ],
    ],
    [
      "the events",
      [
        [/be called/, "x"],
        [/^topic:/, "typed"],
        [/^topic:$/, "t-1"],
        [/^Any other/, []],
        [/^Send/, false],
        [/^Which/, undefined],
      ],
    ],
    [
      "the diff",
      [
        [/be called/, "x"],
        [/^topic:/, "typed"],
        [/^topic:$/, "t-1"],
        [/^Any other/, []],
        [/^Send/, false],
        [/^Which/, "custom"],
        [/^When/, []],
        [/^Write/, undefined],
      ],
    ],
  ])("writes nothing when the person walks away from %s", async (_, answers) => {
    const { code, stderr } = await run(["ntfy"], answers);
    expect(code).toBe(1);
    expect(stderr).toContain("nothing was written");
    expect(readdirSync(configDir)).toEqual([]);
  });

  it("shows the change anew when someone else has changed the file meanwhile", async () => {
    writeFileSync(rulesFile, small);
    const { code, stdout, stderr } = await run(
      ["ntfy", "--name", "phone", "--set", "topic=t-s3cret", "--events", "none", "--no-test"],
      [
        [/^Any other setting/, []],
        [
          /^Write this/,
          () => {
            appendFileSync(rulesFile, "// added by hand\n");
            return true;
          },
        ],
        [/^Write this/, true],
      ],
    );
    expect(code).toBe(0);
    expect(stderr).toContain("another program changed");
    expect(stdout.match(/^@@/gm)).toHaveLength(2);
    expect(rules()).toContain("// added by hand");
    expect(rules()).toContain('"phone"');
    expect(readdirSync(configDir).sort()).toEqual([
      "phone.topic",
      "rules.jsonc",
      expect.stringContaining("rules.jsonc.hookbell-backup-"),
    ]);
  });

  it("overwrites no secret that lies there from before", async () => {
    writeFileSync(join(configDir, "phone.topic"), "old\n");
    const args = ["ntfy", "--name", "phone", "--set", "topic=new-1", "--events", "none", "--no-test", "--yes"];
    expect((await run(args, [])).code).toBe(0);
    expect(readFileSync(join(configDir, "phone.topic"), "utf8")).toBe("old\n");
    expect(readFileSync(join(configDir, "phone.topic-2"), "utf8")).toBe("new-1\n");
    expect(rules()).toContain("phone.topic-2");
  });

  it("leaves a secret where it is when that is wanted, and the file private", async () => {
    const args = ["ntfy", "--set", "topic=new-1", "--events", "none", "--no-test", "--yes", "--inline-secrets"];
    expect((await run(args, [])).code).toBe(0);
    expect(rules()).toContain('"ntfy": { "type": "ntfy", "topic": "new-1" }');
    expect(existsSync(join(configDir, "ntfy.topic"))).toBe(false);
  });
});

describe("--set", () => {
  const always = ["--events", "none", "--no-test", "--yes"];
  const mail = ["email", "--name", "m", "--set", "smtp.env=S", "--set", "from=me@example.org"];

  it.each<[string, string[], string]>([
    [
      "given twice is a list where there may be one",
      [...mail, "--set", "to=a@example.org", "--set", "to=b@example.org"],
      '"to": ["a@example.org", "b@example.org"]',
    ],
    ["takes a list parted by commas", [...mail, "--set", "to=a@b.org,c@d.org"], '"to": ["a@b.org", "c@d.org"]'],
    [
      "makes a program and its arguments of several",
      ["command", "--set", "argv=prog", "--set", "argv=--flag"],
      '"argv": ["prog", "--flag"]',
    ],
    ["leaves a path with a blank alone", ["command", "--set", "argv=/opt/My App/run"], '"argv": ["/opt/My App/run"]'],
  ])("%s", async (_, args, expected) => {
    expect((await run([...args, ...always], [])).stderr).toBe("");
    expect(rules()).toContain(expected);
  });

  it.each<[string, string[], string]>([
    ["twice", ["ntfy", "--set", "topic=a", "--set", "topic=b"], "--set topic is given twice"],
    ["a command line", ["command", "--set", "argv=prog --flag x"], `--set 'argv=["prog","--flag","x"]'`],
    ["two words", ["command", "--set", "argv=say done"], `--set 'argv=["say","done"]'`],
  ])("refuses %s", async (_, args, expected) => {
    const { code, stderr } = await run([...args, ...always], []);
    expect(code).toBe(64);
    expect(stderr).toContain(expected);
    expect(existsSync(rulesFile)).toBe(false);
  });

  it("nearly right is said once", async () => {
    const { stderr } = await run(["discord", "--set", "ulr=https://example.org/x", ...always], []);
    expect(stderr).toContain('did you mean "url"?');
    expect(stderr).not.toContain("--set url=");
  });
});

it("tells of a channel that is there already, whatever way its secret comes", async () => {
  writeFileSync(join(configDir, "topic"), "t-1\n");
  const channels = { old: { type: "ntfy", topic: { file: join(configDir, "topic") } } };
  writeFileSync(rulesFile, JSON.stringify({ channels, rules: [] }));
  const args = ["--events", "none", "--no-test", "--yes"];
  expect((await run(["ntfy", "--set", "topic=t-2", ...args], [])).stderr).toBe("");
  expect((await run(["ntfy", "--name", "b", "--set", "topic=t-1", ...args], [])).stderr).toContain(
    '"old" and "b" have the same settings',
  );
});

it("says which events are not set up yet", async () => {
  const entry = { type: "command", command: "/s/hookbell-hook.sh --agent x" };
  mkdirSync(join(home, ".factory"));
  writeFileSync(join(home, ".factory/hooks.json"), JSON.stringify({ Stop: [{ hooks: [entry] }] }));
  const args = ["desktop", "--no-test", "--yes", "--name"];
  expect((await run([...args, "a", "--events", "finished"], [])).stdout).not.toContain("hookbell init");
  expect((await run([...args, "b", "--events", "every"], [])).stdout).toMatch(
    /no hook reports .*SubagentStop.* yet; run: hookbell init\n$/,
  );
});

it("finds a Telegram chat by a message to the bot, and asks when it should ring", async () => {
  const telegram = await startPretendTelegram();
  onTestFinished(telegram.close);
  writeFileSync(rulesFile, small);
  const written = (): string => {
    telegram.write(mallory, 66, "hello");
    telegram.write(ann, -100, "hello");
    telegram.write(ann, 77, "hello");
    return "look";
  };
  const settings = ["--set", `token=${botToken}`, "--set", `apiUrl=${telegram.origin}`];
  const { code, notes, options } = await run(
    ["telegram", "--name", "me", ...settings, "--events", "attention", "--no-test"],
    [
      [/^chat: The chat's id/, "look"],
      [/^chat: The chat's id/, written],
      [/^chat: The chat's id/, "=77"],
      [/^Any other setting/, []],
      [/^When should "me" ring/, "away"],
      [/^Answer agents/, false],
      [/^Write this/, true],
    ],
  );
  expect(code).toBe(0);
  expect(notes).toContain("nothing was written yet");
  expect(options.map(({ value }) => value)).toEqual(expect.arrayContaining(["always", "away"]));
  expect(JSON.parse(rules())).toMatchObject({
    channels: { me: { chat: "77" } },
    rules: expect.arrayContaining([expect.objectContaining({ notify: ["me"], away: "60s" })]),
  });
  // What is found stays for the listener.
  expect(telegram.conflicts).toBe(0);
});
