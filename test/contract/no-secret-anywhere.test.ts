// What hookbell writes down and says of deliveries whose receivers repeat everything: no secret of any channel type.
import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, it } from "vitest";
import * as z from "zod";
import { channelTypes } from "../support/channels/all-types.ts";
import type { CommandIo } from "../../src/console/command-io.ts";
import { findPlaces } from "../../src/system/paths.ts";
import { startEchoingReceiver } from "../support/receivers/echoing-receiver.ts";
import { startHttpReceiver, unusedOrigin } from "../support/receivers/http-receiver.ts";
import { payloadOf } from "../support/project/running-project.ts";
import { prepareDispatcher, runOnClock, type RunningDispatcher } from "../support/project/running-dispatcher.ts";
import { startScriptedSmtp } from "../support/mail/scripted-smtp.ts";
import { temporaryFolder } from "../support/project/temporary-state.ts";
import { httpWays } from "../support/channels/channel-samples.ts";

/** Shown on this machine, by no one else's leave; the endpoints of web push are in files of their own, as its own test knows. */
const withoutSecrets = ["desktop", "sound", "speech", "terminal", "webpush"];
/** The template has no place in a rules file. */
const registered = httpWays.filter(({ type }) => type !== "_template");
const sources = ["literal", "env", "file", "command"] as const;
const echoed = [200, 400, 403, 500];

const password = 's3cret"Password\\of/mail+&<';
const value = "s3cret\"Value\\of/a program's&<";

/** Every way in which a mark may be written down. */
function formsOf(mark: string): string[] {
  // Three letters of four, wherever it stands in what is encoded; the edges are shared with its neighbours.
  const inBase64 = [0, 1, 2].map((shift) =>
    Buffer.from("\0".repeat(shift) + mark)
      .toString("base64")
      .slice(shift === 0 ? 0 : 4, -4),
  );
  const written = [mark, encodeURIComponent(mark), JSON.stringify(mark).slice(1, -1)];
  return [
    ...written,
    ...written.map((text) => JSON.stringify(text.replaceAll("/", "\\/")).slice(1, -1)),
    ...inBase64,
    ...inBase64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_")),
    Buffer.from(mark).toString("hex"),
  ];
}

interface Row {
  /** A channel of the rules file. */
  name: string;
  settings: Record<string, unknown>;
}

/** The settings with each secret in them named by this source instead; `hide` makes the source for a value. */
function withSources(raw: unknown, parsed: unknown, hide: (secret: string) => unknown): unknown {
  if (typeof parsed !== "object" || parsed === null) return raw;
  if ("from" in parsed && typeof raw === "string") return hide(raw);
  // One secret may be written for a list of them.
  if (typeof raw !== "object") return Array.isArray(parsed) ? withSources(raw, parsed[0], hide) : raw;
  const own = raw as Record<string, unknown>;
  const kept = Object.entries(own).map(([key, each]) => [
    key,
    withSources(each, (parsed as Record<string, unknown>)[key], hide),
  ]);
  return Array.isArray(raw) ? kept.map(([, each]) => each) : Object.fromEntries(kept);
}

it("only types without secrets go without a sample that has some", () => {
  for (const { type, settings } of channelTypes) {
    const takesSecrets = JSON.stringify(z.toJSONSchema(settings, { io: "input" })).includes('"env"');
    expect([type, takesSecrets]).toEqual([type, !withoutSecrets.includes(type)]);
  }
});

it("no secret is written down or said, whatever receivers and programs repeat, and wherever the secret comes from", async () => {
  const folder = temporaryFolder();
  const env: Record<string, string> = { PATH: process.env.PATH ?? "", HOME: folder, HOOKBELL_CONFIG_DIR: folder };
  const running = prepareDispatcher(env);
  const { layout, tools } = running.dispatcher;
  const echo = await startEchoingReceiver(echoed);
  const resetting = await startHttpReceiver({ behaviour: "resetAfterReading" });
  const whole = Buffer.from(`\0me\0${password}`).toString("base64");
  const mailServers = await Promise.all(
    [
      `535 5.7.8 no ${password}`,
      `535 5.7.8 no ${whole}`,
      `454 4.7.0 later ${encodeURIComponent(password)} ${whole}`,
    ].map((AUTH) => startScriptedSmtp({ EHLO: "250-test\r\n250 AUTH PLAIN", AUTH })),
  );
  const troubles: [string, string][] = [
    ...echoed.map((status): [string, string] => [`echo-${status}`, echo.origin(status)]),
    ["no-tls", echo.origin(400).replace("http:", "https:")],
    ["refused", unusedOrigin],
    ["reset", resetting.origin],
  ];
  let count = 0;
  const hide = (secret: string, source: (typeof sources)[number] | undefined): unknown => {
    count += 1;
    const file = join(folder, `file-${count}`);
    switch (source) {
      case "env":
        env[`HIDDEN_${count}`] = secret;
        return { env: `HIDDEN_${count}` };
      case "file":
        writeFileSync(file, secret, { mode: 0o600 });
        return { file };
      case "command":
        writeFileSync(file, secret, { mode: 0o600 });
        return { command: ["cat", file] };
      default:
        return secret;
    }
  };
  /** Four turns take each secret from each source. Later ones start no programs, which take long. */
  const rowFor = (name: string, type: string, raw: Record<string, unknown>, turn: number): Row => {
    const parsed = channelTypes.find((channel) => channel.type === type)?.settings.parse(raw);
    let next = turn;
    const most = turn < sources.length ? sources.length : sources.indexOf("command");
    const hidden = withSources(raw, parsed, (secret) => {
      next += 1;
      return hide(secret, sources[next % most]);
    });
    return { name, settings: { type, content: "full", ...(hidden as object) } };
  };
  const program = join(folder, "program");
  // The last line is what the journal gets.
  const tell = [
    "#!/bin/sh",
    "env",
    'printf "%s\\n" "$0" "$@"',
    "env >&2",
    'echo "refused: $TOKEN $0 $*" >&2',
    "exit $1",
  ];
  writeFileSync(program, tell.join("\n"));
  chmodSync(program, 0o755);
  const rows = [
    ...registered.flatMap(({ name, type, way }, index) =>
      // Each way begins with another trouble, so that programs meet all of them.
      troubles.map(([trouble, origin], turn) =>
        rowFor(`${name} ${trouble}`, type, way.settings(origin), (turn + index) % troubles.length),
      ),
    ),
    ...mailServers.flatMap(({ port }, index) =>
      sources.map((_, turn) =>
        rowFor(
          `email ${index} ${turn}`,
          "email",
          {
            smtp: `smtp://me:${encodeURIComponent(password)}@127.0.0.1:${port}`,
            withoutTls: "loopback",
            from: "me@example.org",
            to: "you@example.org",
          },
          turn,
        ),
      ),
    ),
    ...["0", "1", "75"].flatMap((code) =>
      sources.map((_, turn) =>
        rowFor(`command ${code} ${turn}`, "command", { argv: [program, code], env: { TOKEN: value } }, turn),
      ),
    ),
  ];
  const marks = [...registered.flatMap(({ way }) => way.secrets), password, value];
  const forms = [...new Set(marks.flatMap(formsOf))].filter((form) => form.length > 5);
  running.writeRules({
    channels: Object.fromEntries(rows.map(({ name, settings }) => [name, settings])),
    rules: [{ name: "all", notify: rows.map(({ name }) => name) }],
  });
  const rulesFile = join(tools.home, "rules.jsonc");
  const hookbell = async (...args: string[]): Promise<string> => {
    const said: string[] = [];
    const say = (text: string): void => void said.push(text);
    const io: CommandIo = {
      stdout: say,
      stderr: say,
      isTerminal: false,
      isStdinTerminal: false,
      isStderrTerminal: false,
      isColor: false,
      columns: 80,
      ...tools,
      env,
      places: { ...findPlaces(env), stateDir: layout.root, rulesFile },
      cwd: folder,
      ancestry: () => [],
      untilStopped: () => AbortSignal.abort(),
      readStdin: () => Promise.resolve(payloadOf("Stop")),
    };
    await runOnClock(running, args, io);
    expect(said.join(""), args.join(" ")).not.toBe("");
    return said.join("");
  };

  await running.dispatcher.rereadRules();
  expect(running.dispatcher.rules().problems).toEqual([]);
  running.accept("Notification", { message: "May I?", notification_type: "permission_prompt" });
  void running.run();
  const attempts = (): number => new Set(running.journal("attempt").map(({ channel }) => channel)).size;
  // By quarters: each has the whole patience, for machines that do much else.
  for (const share of [0.25, 0.5, 0.75, 1]) {
    await running.until(`a first attempt of ${share} of them`, () => attempts() >= share * rows.length);
  }
  // On a busy machine, a secret's command may take too long, and its attempt is made again later.
  await running.until("all that was sent to be read", () => {
    const isRead = echo.count() >= registered.length * echoed.length;
    if (!isRead && running.requestsUnderWay() === 0) running.clock.turn(1000);
    return isRead;
  });
  const asked = echo.count();
  expectNone(filesOf(running), forms);
  expect(running.journal("attempt").filter(({ outcome }) => outcome === "delivered").length).toBeGreaterThan(0);

  for (const command of ["status", "doctor", "explain", "log --all", "channels"]) {
    for (const flags of [[], ["--json"]])
      expectNone([[command, await hookbell(...command.split(" "), ...flags)]], forms);
  }
  for (const args of [
    ["retry", "--all"],
    // Each type and each trouble, if not together: they are sent one after the other.
    ["test", ...rows.flatMap(({ name }, index) => (index % 3 === 0 ? [name] : [])), "--json"],
  ]) {
    expectNone([[args[0] ?? "", await hookbell(...args)]], forms);
  }
  await running.until("another attempt after the retry", () => echo.count() > asked);
  await running.until("an end of what is under way", () => running.requestsUnderWay() === 0);
  running.stop();
  expectNone(filesOf(running), forms);
  // A mistake is shown with the text around it: here all of the channel, since it stands on the same line.
  const mistaken = rows.map(({ name, settings }) => {
    const members = Object.entries(settings).flatMap(([key, setting], index) => [
      [key, setting],
      [`wrong${index}`, 1],
    ]);
    return {
      line: `${JSON.stringify(name)}: ${JSON.stringify(Object.fromEntries(members))}`,
      wrong: members.length / 2,
    };
  });
  // It names a hundred mistakes at most.
  for (let start = 0; start < rows.length; start += 15) {
    const some = mistaken.slice(start, start + 15);
    running.writeRules(`{"channels": {\n${some.map(({ line }) => line).join(",\n")}\n}, "rules": []}`);
    const checked = await hookbell("check");
    const named = checked.match(/there is no setting "wrong\d+"/g) ?? [];
    expect(named.length, checked).toBe(some.reduce((sum, { wrong }) => sum + wrong, 0));
    expectNone([[`check ${rows[start]?.name} and those behind it`, checked]], forms);
  }
  await Promise.all([echo.close(), resetting.close(), ...mailServers.map((server) => server.stop())]);
}, 600_000);

/** Every file of the state folder; the last good rules are a copy of what the person wrote, with what they wrote into it. */
function filesOf({ dispatcher: { layout } }: RunningDispatcher): [string, string][] {
  return readdirSync(layout.root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith("rules.last-good"))
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [relative(layout.root, path), readFileSync(path, "utf8")];
    });
}

function expectNone(places: [string, string][], forms: readonly string[]): void {
  const found = places.flatMap(([place, text]) =>
    forms.flatMap((form) => {
      const at = text.indexOf(form);
      return at === -1 ? [] : [`${place}: …${text.slice(Math.max(0, at - 200), at)}[${form}]`];
    }),
  );
  expect(found).toEqual([]);
}
