// An open `hookbell channels pair`: a file beside the listener's lock. Whichever process listens gives each account a code.
import * as z from "zod";
import type { ReceivedReply } from "../model/answer.ts";
import type { Layout } from "../outbox/layout.ts";
import { isSameDigest, randomCode, sha256 } from "../system/crypto.ts";
import { ensurePrivateDir, removeIfThere } from "../system/files/files.ts";
import { readJson } from "../system/files/read.ts";
import { writeWhole } from "../system/files/write.ts";
import { isAlive } from "../system/process/identity.ts";
import { listenersFolder } from "./listener-state.ts";

export type ChatAccount = NonNullable<ReceivedReply["sender"]>;

const pairingSchema = z.lazy(() =>
  z.object({
    /** The command that waits for the code. */
    pid: z.number(),
    /** From this time on no code counts, in milliseconds since the epoch. */
    expiresAt: z.number(),
    /** The hash of the button's nonce; undefined if a person writes to the bot instead. */
    nonce: z.string().optional(),
    codes: z.array(z.object({ code: z.string(), id: z.string(), name: z.string() })),
  }),
);
type Pairing = z.infer<typeof pairingSchema>;

const pairingMs = 10 * 60_000;

/** More accounts than this cannot all be people who were asked to write. */
const maxAccounts = 100;

/** `listener` is the path of the listener's lock, so that channels with one credential share the pairing. */
function pathOf(listener: string): string {
  return `${listener}.pairing`;
}

/** False if another command waits for a code there. */
export function openPairing(
  layout: Pick<Layout, "root">,
  listener: string,
  nonce: string | undefined,
  nowMs: number,
): boolean {
  if (readPairing(listener, nowMs) !== undefined) return false;
  ensurePrivateDir(listenersFolder(layout));
  const hash = nonce === undefined ? {} : { nonce: sha256(nonce) };
  write(listener, { pid: process.pid, expiresAt: nowMs + pairingMs, ...hash, codes: [] });
  return true;
}

export function closePairing(listener: string): void {
  removeIfThere(pathOf(listener));
}

/** The account that was given this code; undefined too if the pairing has expired. */
export function accountOf(listener: string, typed: string, nowMs: number): ChatAccount | undefined {
  const found = readPairing(listener, nowMs)?.codes.find(({ code }) => isSameDigest(sha256(code), sha256(typed)));
  return found === undefined ? undefined : { id: found.id, name: found.name };
}

/**
 * What to tell an account that presses the button of the open pairing, or that writes to the bot. Undefined if no pairing
 * is open, or if this is an answer of a paired account.
 */
export function pairByReply(
  listener: string,
  { sender, nonce, pressed, reply }: ReceivedReply,
  isPaired: (account: ChatAccount) => boolean,
  nowMs: number,
): string | undefined {
  const pairing = sender === undefined ? undefined : readPairing(listener, nowMs);
  if (sender === undefined || pairing === undefined) return undefined;
  const isAnswer = Object.keys(reply?.to ?? {}).length > 0 && isPaired(sender);
  const isMeant =
    pairing.nonce === undefined
      ? nonce === undefined && pressed === undefined && !isAnswer
      : nonce !== undefined && isSameDigest(pairing.nonce, sha256(nonce));
  if (!isMeant) return undefined;
  const code = pairing.codes.find(({ id }) => id === sender.id)?.code ?? giveCode(listener, pairing, sender);
  return code === undefined ? undefined : `Type this code in your terminal: ${code}`;
}

/**
 * What to tell an account that sends a code to the bot, where the code belongs into the terminal. It says nothing of whether the
 * code is one, or whether the account is paired.
 */
export function misplacedCode({ sender, reply }: ReceivedReply): string | undefined {
  const isCode = sender !== undefined && /^\s*\d{4}[ -]?\d{4}\s*$/.test(reply?.text ?? "");
  return isCode ? "No code is taken here. Type it in the terminal where hookbell channels pair waits." : undefined;
}

function giveCode(listener: string, pairing: Pairing, { id, name }: ChatAccount): string | undefined {
  if (pairing.codes.length >= maxAccounts) return undefined;
  let code = randomCode();
  while (pairing.codes.some((each) => each.code === code)) code = randomCode();
  write(listener, { ...pairing, codes: [...pairing.codes, { code, id, name }] });
  return code;
}

/** The pairing that a living command waits for. */
function readPairing(listener: string, nowMs: number): Pairing | undefined {
  const pairing = readJson(pathOf(listener), pairingSchema);
  return pairing !== undefined && nowMs < pairing.expiresAt && isAlive(pairing.pid) ? pairing : undefined;
}

function write(listener: string, pairing: Pairing): void {
  writeWhole(pathOf(listener), JSON.stringify(pairing));
}
