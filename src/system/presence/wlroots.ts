// The focused window in Sway, i3 and Hyprland, and giving the focus to another one.
import { createConnection } from "node:net";
import { join } from "node:path";
import type { Environment } from "../environment.ts";
import type { PresenceSignals } from "./observed.ts";

/** A layout of thousands of windows. */
const maxAnswerBytes = 4 * 1024 * 1024;

/** Neither knows the idle time. */
export async function observeWlroots(env: Environment, signal: AbortSignal): Promise<PresenceSignals> {
  const { SWAYSOCK: sway, HYPRLAND_INSTANCE_SIGNATURE: hyprland, XDG_RUNTIME_DIR: runtimeDir } = env;
  if (sway) return { focus: focusOf(findFocused(await askSway(sway, getTree, "", signal))) };
  if (hyprland && runtimeDir) {
    const answer = await askHyprland(runtimeDir, hyprland, "j/activewindow", signal);
    return { focus: focusOf(JSON.parse(answer)) };
  }
  return {};
}

/** Focuses the window of the first of these processes that has one. */
export async function focusWlroots(env: Environment, pids: readonly number[], signal: AbortSignal): Promise<boolean> {
  const { SWAYSOCK: sway, HYPRLAND_INSTANCE_SIGNATURE: hyprland, XDG_RUNTIME_DIR: runtimeDir } = env;
  for (const pid of pids) {
    if (sway) {
      const [result] = (await askSway(sway, runCommand, `[pid=${pid}] focus`, signal)) as { success?: unknown }[];
      if (result?.success === true) return true;
    } else if (hyprland && runtimeDir) {
      const answer = await askHyprland(runtimeDir, hyprland, `dispatch focuswindow pid:${pid}`, signal);
      if (answer.trim() === "ok") return true;
    }
  }
  return false;
}

const runCommand = 0;
const getTree = 4;

/** https://man.archlinux.org/man/sway-ipc.7: a magic word, length and type. */
async function askSway(path: string, type: number, payload: string, signal: AbortSignal): Promise<unknown> {
  const head = Buffer.alloc(14);
  head.write("i3-ipc");
  head.writeUInt32LE(Buffer.byteLength(payload), 6);
  head.writeUInt32LE(type, 10);
  const answer = await askSocket(
    path,
    Buffer.concat([head, Buffer.from(payload)]),
    (bytes) => (bytes.length >= 14 && bytes.length >= 14 + bytes.readUInt32LE(6) ? bytes.subarray(14) : undefined),
    signal,
  );
  return JSON.parse(answer.toString("utf8"));
}

/** https://wiki.hypr.land/IPC/: it closes the connection after its answer. */
async function askHyprland(
  runtimeDir: string,
  instance: string,
  request: string,
  signal: AbortSignal,
): Promise<string> {
  const path = join(runtimeDir, "hypr", instance, ".socket.sock");
  const answer = await askSocket(path, Buffer.from(request), () => undefined, signal);
  return answer.toString("utf8");
}

function askSocket(
  path: string,
  request: Buffer,
  answerIn: (bytes: Buffer) => Buffer | undefined,
  signal: AbortSignal,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(path);
    let bytes = Buffer.alloc(0);
    const end = (result: Buffer | Error): void => {
      socket.destroy();
      if (result instanceof Error) reject(result);
      else resolve(result);
    };
    signal.addEventListener("abort", () => end(new Error("too late")), { once: true });
    socket.on("error", end);
    socket.on("end", () => end(bytes));
    socket.on("data", (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      const answer = answerIn(bytes);
      if (answer !== undefined) end(answer);
      else if (bytes.length > maxAnswerBytes) end(new Error("the answer is too long"));
    });
    socket.write(request);
  });
}

interface TreeNode {
  focused?: unknown;
  pid?: unknown;
  nodes?: unknown;
  floating_nodes?: unknown;
}

function findFocused(node: unknown): TreeNode | undefined {
  if (typeof node !== "object" || node === null) return undefined;
  const { focused, pid, nodes, floating_nodes: floating } = node as TreeNode;
  if (focused === true && typeof pid === "number") return node as TreeNode;
  for (const child of [nodes, floating].flatMap((each) => (Array.isArray(each) ? (each as unknown[]) : []))) {
    const found = findFocused(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

function focusOf(node: unknown): PresenceSignals["focus"] {
  const pid = typeof node === "object" && node !== null ? (node as TreeNode).pid : undefined;
  return typeof pid === "number" && pid > 0 ? { pid } : undefined;
}
