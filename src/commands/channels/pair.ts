// `hookbell channels pair`: lets the user's account at a service answer questions through a channel.
import { addSender, removeSenders } from "../../answers/senders.ts";
import { failedCall } from "../../dispatch/send/attempt.ts";
import { readyChannel, type ReadyChannel } from "../../dispatch/call-channel.ts";
import type { Dispatcher } from "../../dispatch/dispatcher.ts";
import { lockListener } from "../../dispatch/answers/listeners.ts";
import type { Hear, Heard } from "../../model/answer.ts";
import type { Message } from "../../model/message.ts";
import { exitCodes, UserError, type ExitCode } from "../../model/errors.ts";
import type { Channel } from "../../rules/rules.ts";
import { randomCode, randomId, randomNonce } from "../../system/crypto.ts";
import { parseArguments } from "../console/arguments.ts";
import { askAtTerminal } from "../console/ask.ts";
import type { CommandIo } from "../console/command-io.ts";
import { requirePerson } from "../console/require-person.ts";
import { answerCommands } from "../help/answers.ts";
import { usableRules } from "../pipeline/load-rules.ts";
import { openDispatcher } from "../pipeline/open-dispatcher.ts";

export async function pairCommand(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values, positionals } = parseArguments(args, answerCommands["channels pair"].flags, 1);
  const dispatcher = await openDispatcher(io, values.config);
  const channel = channelToPair(usableRules(dispatcher, values.config, io).rules.channels, positionals[0]);
  if (values.remove === true) {
    const isRemoved = removeSenders(dispatcher.layout, channel.name);
    io.stdout(isRemoved ? `no account may answer through ${channel.name} any more\n` : "no account was paired\n");
    return exitCodes.done;
  }
  requirePerson("pair", io);
  if (!io.isTerminal) {
    throw new UserError("pair.terminal", "pairing needs a terminal, where you type the code", {
      hint: `run hookbell channels pair ${channel.name} in a terminal of your own`,
    });
  }
  const how = channel.channelType.answers?.pairing ?? `press the button that ${channel.name} shows now`;
  io.stdout(`${how}; it answers with a code\n`);
  const stop = io.untilStopped();
  const paired = await pairSender(dispatcher, channel, stop, async () => {
    const problemOf = (text: string): string | undefined =>
      /^\d{8}$/.test(text) ? undefined : "expected eight digits";
    return await askAtTerminal.text("The code", { problemOf });
  });
  if (paired === undefined) {
    io.stdout("no account was paired\n");
    return exitCodes.failed;
  }
  io.stdout(`${paired.name} (${paired.id}) may answer through ${channel.name}\n`);
  return exitCodes.done;
}

function channelToPair(channels: Readonly<Record<string, Channel>>, name: string | undefined): Channel {
  const pairable = Object.values(channels).filter(
    ({ answers, channelType }) => answers && channelType.answers?.namesSender === true,
  );
  const channel = pairable.find((each) => each.name === name);
  if (channel !== undefined) return channel;
  const others = pairable.map((each) => each.name).join(", ");
  throw new UserError(
    "pair.channel",
    name === undefined ? "expected the name of a channel" : `no account can be paired with ${name}`,
    {
      hint:
        others === ""
          ? 'a channel with accounts, such as telegram or slack, needs "answers": true in the rules file'
          : `channels to pair: ${others}`,
      exitCode: exitCodes.badInput,
    },
  );
}

/** A code has eight digits, so guessing takes far more tries. */
const maxTries = 3;

/**
 * Each account that writes gets a code of its own; the one whose code is typed here is paired. `askCode` resolves to
 * undefined when the user gives up.
 */
export async function pairSender(
  dispatcher: Dispatcher,
  channel: Channel,
  stop: AbortSignal,
  askCode: () => Promise<string | undefined>,
): Promise<NonNullable<Heard["sender"]> | undefined> {
  const { layout, tools } = dispatcher;
  const ready = await readyChannel(dispatcher, channel);
  if ("failure" in ready) throw new UserError("pair.secret", ready.detail, { hint: ready.hint });
  const listening = new AbortController();
  stop.addEventListener("abort", () => listening.abort(), { once: true });
  const unlock = await lockListener(dispatcher, channel, ready.settings, listening.signal);
  if (unlock === undefined) {
    throw new UserError("pair.busy", "a dispatcher listens with this credential at the moment", {
      hint: "answer the open question first, or wait a minute: hookbell pending",
    });
  }
  const codes = new Map<string, { code: string; sender: NonNullable<Heard["sender"]> }>();
  const hear: Hear = ({ sender }) => {
    if (sender === undefined) return undefined;
    const known = codes.get(sender.id) ?? { code: randomCode(), sender };
    codes.set(sender.id, known);
    return `Type this code in your terminal: ${known.code}`;
  };
  const tried = async (): Promise<NonNullable<Heard["sender"]> | undefined> => {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const typed = await askCode();
      if (typed === undefined) return undefined;
      const found = [...codes.values()].find(({ code }) => code === typed);
      if (found !== undefined) return found.sender;
    }
    return undefined;
  };
  const listen = ready.call({ signal: listening.signal }, (settings, limited) =>
    channel.channelType.answers?.listen?.(settings, hear, limited),
  );
  const failed = listen.then((called): never => {
    const ended = "failure" in called ? called.detail : (called.value ?? "");
    const detail = typeof ended === "string" ? ended : ended.final;
    throw new UserError("pair.listen", `cannot listen: ${detail}`, { hint: "see: hookbell doctor" });
  });
  // The rejection is handled when the promise is awaited.
  failed.catch(() => {});
  let removeButton = async (): Promise<void> => {};
  try {
    if (channel.channelType.answers?.pairing === undefined) {
      removeButton = await showButton(dispatcher, channel, ready);
    }
    const sender = await Promise.race([tried(), failed]);
    if (sender !== undefined) {
      addSender(layout, channel.name, { type: channel.type, ...sender, pairedAt: tools.clock.now() });
    }
    return sender;
  } finally {
    await removeButton();
    listening.abort();
    await failed.catch(() => {});
    unlock();
  }
}

const closeTimeoutMs = 10_000;

/** Who presses it is told a code. Resolves to what takes it away. */
async function showButton(
  { tools, host }: Pick<Dispatcher, "tools" | "host">,
  { name, channelType }: Channel,
  ready: ReadyChannel,
): Promise<() => Promise<void>> {
  const over = new AbortController();
  const [id, at] = [randomId(), new Date(tools.clock.now()).toISOString()];
  const message: Message = {
    title: "Who may answer coding agents here?",
    body: `Press the button, and type the code in the terminal where \`hookbell channels pair ${name}\` waits.`,
    level: "attention",
    fields: [{ label: "host", value: host }],
  };
  const called = await ready.call({ timeoutMs: channelType.timeoutMs }, (settings, limited) =>
    channelType.send(
      {
        settings,
        message,
        event: {
          id: `evt_${id}`,
          name: "PermissionRequest",
          // Types do not remember where hookbell's own messages are.
          agent: "pairing",
          session: `pair-${id}`,
          cwd: "",
          project: "",
          host,
          at,
          level: "attention",
          message: message.body,
        },
        deliveryId: id,
        attempt: 1,
        question: {
          buttons: [{ choice: "deny", label: "Show my code", nonce: randomNonce() }],
          hear: () => {},
          over: over.signal,
        },
      },
      limited,
    ),
  );
  const outcome = "failure" in called ? failedCall(called) : called.value;
  if (outcome.status === "failed") {
    throw new UserError("pair.send", `cannot show the button: ${outcome.detail}`, { hint: "see: hookbell doctor" });
  }
  return async () => {
    over.abort();
    const ended = { ...message, title: "hookbell: pairing is over", body: "", fields: [] };
    await ready.call({ timeoutMs: closeTimeoutMs }, (settings, limited) =>
      channelType.answers?.close?.(settings, outcome.remember ?? {}, ended, limited),
    );
  };
}
