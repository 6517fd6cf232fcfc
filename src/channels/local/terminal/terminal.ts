// Notifications of the terminal that the agent runs in, also over SSH.
import * as z from "zod";
import type { AgentTerminal } from "../../../model/places/agent-terminal.ts";
import { delivered, failed, type Outcome } from "../../../model/outcome.ts";
import { findOwnTerminal, isStillThere } from "../../../system/terminal/find-terminal.ts";
import { writeTerminal } from "../../../system/terminal/write-terminal.ts";
import { defineChannel, lifetimeMs, type ChannelTools, type SendRequest } from "../../channel-type.ts";
import { hasSession, sessionKey, updateSetting } from "../../session-message.ts";
import { levelLooks } from "../../rendering/levels.ts";
import { bell, closingSequence, maxBody, maxTitle, toOneSequence, toSequences, wrapped } from "./message.ts";
import { mannerOf, terminalStyles, type TerminalManner } from "./style.ts";
import { isAbsolute } from "node:path";
import { findProgram } from "../../../system/process/find-program.ts";
import { runProcess } from "../../../system/process/run.ts";

const settings = z.strictObject({
  style: z
    .enum(["auto", ...terminalStyles])
    .default("auto")
    .describe(
      '"auto": what the terminal understands; "osc9" (iTerm2), "osc777" (Ghostty, WezTerm, Konsole, foot, urxvt), "osc99" ' +
        '(kitty), or "bel": the bell alone',
    ),
  bell: z
    .boolean()
    .optional()
    .describe("Ring the terminal's bell as well; default: only where the terminal may not show the notification"),
  update: updateSetting(),
});
type Settings = z.infer<typeof settings>;

const noTerminal = "the agent's session has no terminal: an editor or a service started it, or it has ended";

/** The agent of `hookbell test` and the like, which use the terminal that they run in. */
const ownAgent = "hookbell";

/** hookbell writes the sequence to the terminal's device, or hands it to an agent that shows sequences itself. */
export const terminal = defineChannel<Settings>({
  docs: "https://sw.kovidgoyal.net/kitty/desktop-notifications/",
  settings,
  limits: [
    { what: "title", most: maxTitle, unit: "codePoints", source: "ours" },
    { what: "body", most: maxBody, unit: "codePoints", source: "ours" },
  ],
  expiresAfterMs: lifetimeMs.screen,
  timeoutMs: 10_000,
  isRepeatHarmless: true,
  content: "full",
  isShownInTerminal: true,
  async send(request, tools) {
    const id = notificationId(request);
    if (tools.replyTerminal !== undefined) {
      const { style } = mannerFor(request.settings, undefined, tools);
      tools.replyTerminal(toOneSequence(request.message, request.event.name, style, id));
      return delivered({ detail: `handed to the agent (${style})` });
    }
    const found = request.terminal ?? (request.event.agent === ownAgent ? findOwnTerminal() : undefined);
    if (found === undefined) {
      return failed("unavailable", noTerminal);
    }
    if (!isStillThere(found)) return failed("unavailable", `the agent's terminal ${found.device} was closed`);
    const { manner, why } = await passable(mannerFor(request.settings, found, tools), found, tools);
    const outcome = readWrite(
      await writeTerminal(found.device, textFor(request, manner, id), tools),
      found,
      manner,
      why,
    );
    if (outcome.status === "failed" || manner.style !== "osc99") return outcome;
    const { device, pid, start } = found;
    return { ...outcome, remember: { id, device, pid: String(pid), start, inside: manner.inside ?? "" } };
  },
  async retract(_settings, { id = "", device = "", pid = "", start = "", inside }, tools) {
    if (!isStillThere({ device, pid: Number(pid), start })) return;
    const through = inside === "tmux" || inside === "screen" ? inside : undefined;
    await writeTerminal(device, wrapped(closingSequence(id), through), tools);
  },
  noticing: {
    how: "see",
    otherwise: [
      "let the terminal's program notify: check its own settings, and those of the system",
      "look at another window first: several terminals show nothing while their window is active",
      "set `style` to what the terminal understands, or to bel; in tmux: `tmux set -g allow-passthrough on`",
    ],
  },
  async probe(own, tools) {
    const found = findOwnTerminal();
    if (found === undefined) {
      return { status: "ok", detail: "each agent's own terminal, if it has one; doctor runs without one" };
    }
    const wanted = mannerFor(own, found, tools);
    const { manner, why } = await passable(wanted, found, tools);
    if (why === undefined) return { status: "ok", detail: `in this terminal: ${shownAs(manner)}` };
    const detail = `in this terminal only the bell instead of ${wanted.style}: ${why}`;
    return { status: "warning", detail, fix: passthroughFix };
  },
});

/** By its id, kitty knows which notification a later one replaces. */
function notificationId(request: SendRequest<Settings>): string {
  const { settings, event, deliveryId } = request;
  return settings.update === "replace" && hasSession(request) ? `hookbell-${sessionKey(event)}` : deliveryId;
}

/** The dispatcher's own environment comes from some agent: the best guess where the system hides others'. */
function mannerFor(own: Settings, found: AgentTerminal | undefined, tools: Pick<ChannelTools, "env">): TerminalManner {
  const manner = mannerOf(found?.env ?? tools.env);
  return own.style === "auto" ? manner : { ...manner, style: own.style, isUncertain: manner.inside !== undefined };
}

/** The bell alone where tmux does not pass the sequence on, and why. */
async function passable(
  manner: TerminalManner,
  found: AgentTerminal,
  tools: ChannelTools,
): Promise<{ manner: TerminalManner; why?: string }> {
  if (manner.inside !== "tmux" || manner.style === "bel") return { manner };
  const why = await whyTmuxSwallows(found, tools);
  return why === undefined ? { manner } : { manner: { ...manner, style: "bel" }, why };
}

function shownAs({ style, inside }: TerminalManner): string {
  return inside === undefined ? style : `${style} through ${inside}`;
}

function textFor({ settings, message, event }: SendRequest<Settings>, manner: TerminalManner, id: string): string {
  const { style, inside, isUncertain } = manner;
  // tmux and screen understand the bell itself.
  if (style === "bel") return bell;
  const sequences = toSequences(message, event.name, style, id).map((sequence) => wrapped(sequence, inside));
  const rings = settings.bell ?? (isUncertain && !levelLooks[message.level].isQuiet);
  return sequences.join("") + (rings ? bell : "");
}

function readWrite(
  write: Awaited<ReturnType<typeof writeTerminal>>,
  { device }: AgentTerminal,
  manner: TerminalManner,
  whyBell: string | undefined,
): Outcome {
  switch (write.status) {
    case "written":
      return delivered({
        detail: `${shownAs(manner)} to ${device}${whyBell === undefined ? "" : `: only the bell, because ${whyBell}`}`,
      });
    case "gone":
      return failed("unavailable", write.why);
    case "stopped":
      return failed("timeout", `${device} accepts no output; did Ctrl-S stop it?`);
    case "torn":
      return failed("unknown", `${device} stopped in the middle of the message`);
  }
}

const answerTimeoutMs = 1500;

const passthroughFix = "add the same `set -g allow-passthrough` to ~/.tmux.conf for later; or set `style` to bel";

/**
 * Why tmux does not pass sequences of this pane on; undefined when it does, or when that is not known. Versions before 3.3
 * pass everything on: https://man.openbsd.org/tmux.1#allow-passthrough
 */
async function whyTmuxSwallows(
  { device, env }: Pick<AgentTerminal, "device" | "env">,
  tools: Pick<ChannelTools, "env" | "platform" | "signal">,
): Promise<string | undefined> {
  const [socket = ""] = ((env ?? tools.env).TMUX ?? "").split(",");
  const program = findProgram("tmux", tools.env, tools.platform);
  if (program === undefined || !isAbsolute(socket)) return undefined;
  const answer = await runProcess({
    argv: [program, "-S", socket, "list-panes", "-a", "-F", "#{pane_tty} #{window_active} #{allow-passthrough}"],
    env: tools.env,
    timeoutMs: answerTimeoutMs,
    signal: tools.signal,
  });
  if (answer.status !== "exited" || answer.code !== 0) return undefined;
  const panes = answer.stdout.split("\n").map((line) => line.split(" "));
  // Each session lists the windows that it shares.
  const own = panes.filter(([tty]) => tty === device);
  if (own.some(([, , option]) => option === "0" || option === "off"))
    return "tmux has allow-passthrough off; to turn it on: tmux set -g allow-passthrough on";
  const isHidden = own.length > 0 && own.every(([, isActive]) => isActive === "0");
  if (isHidden && own.some(([, , option]) => option === "1" || option === "on")) {
    return "tmux passes on only what comes from its visible window; to pass on all: tmux set -g allow-passthrough all";
  }
  return undefined;
}
