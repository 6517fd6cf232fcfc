// `hookbell channels pair`: lets the user's account at a service answer questions through a channel.
import { type ChatAccount, accountOf, closePairing, openPairing } from "../../answers/pairing.ts";
import { addSender, removeSenders } from "../../answers/senders.ts";
import { failedCall, readyChannel, type ReadyChannel } from "../../pipeline/channel/call-channel.ts";
import type { Dispatcher } from "../../pipeline/dispatcher.ts";
import { listenerLock, listenOnce } from "../../daemon/leased/listeners.ts";
import type { Message } from "../../model/message.ts";
import { exitCodes, UserError, type ExitCode } from "../../model/errors.ts";
import { layoutOf } from "../../outbox/layout.ts";
import type { Channel } from "../../rules/rules.ts";
import { type Clock, sleep } from "../../system/clock.ts";
import { randomId, randomNonce } from "../../system/crypto.ts";
import { parseArguments } from "../../console/arguments.ts";
import { askAtTerminal } from "../../console/ask.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { requirePerson } from "../../console/require-person.ts";
import { answerCommands } from "../help/answers.ts";
import { usableRules } from "../pipeline/load-rules.ts";
import { openDispatcher } from "../pipeline/open-dispatcher.ts";

export async function pairCommand(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values, positionals } = parseArguments(args, answerCommands["channels pair"].flags, 1);
  const [name] = positionals;
  // The channel may have no answers any more, or the rules file may be broken.
  if (values.remove === true && name !== undefined && removeSenders(layoutOf(io.places.stateDir), name)) {
    io.stdout(`no account may answer through ${name} any more\n`);
    return exitCodes.done;
  }
  const dispatcher = await openDispatcher(io, values.config);
  const channel = channelToPair(usableRules(dispatcher, values.config, io).rules.channels, name);
  if (values.remove === true) {
    io.stdout("no account was paired\n");
    return exitCodes.done;
  }
  if (!io.isTerminal) {
    throw new UserError("pair.terminal", "pairing needs a terminal, where you type the code", {
      hint: `run hookbell channels pair ${channel.name} in a terminal of your own`,
    });
  }
  const paired = await pairSender(dispatcher, channel, io.untilStopped(), {
    announce: (how) => io.stdout(`${how}; it answers with a code\n`),
    async askCode() {
      const problemOf = (text: string): string | undefined =>
        /^\d{8}$/.test(text) ? undefined : "expected eight digits";
      return await askAtTerminal.text("The code", { problemOf });
    },
    refuse: (triesLeft) =>
      io.stdout(
        `no account was given this code${triesLeft === 0 ? "" : `; ${triesLeft === 1 ? "one more try" : `${triesLeft} more tries`}`}\n`,
      ),
    // An agent that began to ask meanwhile is known only now.
    requirePerson: () => requirePerson("pair", io),
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
        channels[name ?? ""]?.answers === true
          ? "it knows no accounts: what its settings name decides who may answer, and nothing needs to be paired"
          : others === ""
            ? 'a channel with accounts, such as telegram or slack, needs "answers": true in the rules file'
            : `channels to pair: ${others}`,
      exitCode: exitCodes.badInput,
    },
  );
}

/** A code has eight digits, so guessing takes far more tries. */
const maxTries = 3;
/** Another process may hold the listener's lock until its question is over. */
const listenAgainMs = 1000;

interface PairingTerminal {
  /** Says what the person is to do at the service. */
  announce(how: string): void;
  /** Resolves to undefined when the user gives up. */
  askCode(): Promise<string | undefined>;
  /** Says that no account has the code that was typed; 0 tries are left after the last one. */
  refuse(triesLeft: number): void;
  /** Throws if an agent has started this. */
  requirePerson(): void;
}

/**
 * Each account that writes gets a code of its own; the one whose code is typed here is paired. A dispatcher that listens
 * for answers gives the codes, too.
 */
export async function pairSender(
  dispatcher: Dispatcher,
  channel: Channel,
  stop: AbortSignal,
  terminal: PairingTerminal,
): Promise<ChatAccount | undefined> {
  const { layout, tools } = dispatcher;
  const ready = await readyChannel(dispatcher, channel);
  if ("failure" in ready) throw new UserError("pair.secret", ready.detail, { hint: ready.hint });
  const listener = listenerLock(layout, channel, ready.settings);
  const { pairing } = channel.channelType.answers ?? {};
  const nonce = pairing === undefined ? randomNonce() : undefined;
  if (!openPairing(layout, listener, nonce, tools.clock.now())) {
    throw new UserError("pair.busy", "another `hookbell channels pair` waits for a code from this account", {
      hint: "finish or end that one first",
    });
  }
  const listening = new AbortController();
  stop.addEventListener("abort", () => listening.abort(), { once: true });
  const failed = listenForCodes(dispatcher, channel, listening.signal);
  // The rejection is handled when the promise is awaited.
  failed.catch(() => {});
  let removeButton = async (): Promise<void> => {};
  try {
    if (nonce !== undefined) removeButton = await showButton(dispatcher, channel, ready, nonce);
    terminal.announce(pairing ?? `press the button that ${channel.name} shows now`);
    const account = await Promise.race([typedAccount(tools.clock, listener, terminal), failed]);
    if (account !== undefined) {
      terminal.requirePerson();
      addSender(layout, channel.name, { type: channel.type, ...account, pairedAt: tools.clock.now() });
    }
    return account;
  } finally {
    closePairing(listener);
    await removeButton();
    listening.abort();
    await failed.catch(() => {});
  }
}

async function typedAccount(
  clock: Clock,
  listener: string,
  { askCode, refuse }: PairingTerminal,
): Promise<ChatAccount | undefined> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const typed = await askCode();
    if (typed === undefined) return undefined;
    const account = accountOf(listener, typed, clock.now());
    if (account !== undefined) return account;
    refuse(maxTries - tries - 1);
  }
  return undefined;
}

/** Resolves when aborted; rejects if this process cannot listen, and no other does. */
async function listenForCodes(dispatcher: Dispatcher, channel: Channel, stop: AbortSignal): Promise<undefined> {
  const { clock } = dispatcher.tools;
  while (!stop.aborted) {
    const ended = await listenOnce(dispatcher, channel, stop, () => {});
    const detail = typeof ended === "string" ? ended : ended.final;
    if (stop.aborted) return undefined;
    if (detail !== "") throw new UserError("pair.listen", `cannot listen: ${detail}`, { hint: "see: hookbell doctor" });
    await sleep(clock, listenAgainMs, stop);
  }
  return undefined;
}

const closeTimeoutMs = 10_000;

/** An account that presses the button is told a code. Resolves to a function that takes the button away. */
async function showButton(
  { tools, host }: Pick<Dispatcher, "tools" | "host">,
  { name, channelType }: Channel,
  ready: ReadyChannel,
  nonce: string,
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
          // Channel types do not remember where they showed hookbell's own messages.
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
          buttons: [{ choice: "deny", label: "Show my code", nonce }],
          onReply: () => {},
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
