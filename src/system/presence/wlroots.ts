// The focused window in Sway, i3 and Hyprland.
import { createConnection } from "node:net";
import { join } from "node:path";
import type { Environment } from "../environment.ts";
import type { Observed } from "./observed.ts";

/** A layout of thousands of windows. */
const maxAnswerBytes = 4 * 1024 * 1024;

/** Neither knows the idle time. */
export async function observeWlroots(env: Environment, signal: AbortSignal): Promise<Observed> {
  const { SWAYSOCK: sway, HYPRLAND_INSTANCE_SIGNATURE: hyprland, XDG_RUNTIME_DIR: runtimeDir } = env;
  if (sway) {
    // https://man.archlinux.org/man/sway-ipc.7: a magic word, length and type.
    const request = Buffer.alloc(14);
    request.write("i3-ipc");
    request.writeUInt32LE(4, 10);
    const answer = await askSocket(
      sway,
      request,
      (bytes) => (bytes.length >= 14 && bytes.length >= 14 + bytes.readUInt32LE(6) ? bytes.subarray(14) : undefined),
      signal,
    );
    return { focus: focusOf(findFocused(JSON.parse(answer.toString("utf8")))) };
  }
  if (hyprland && runtimeDir) {
    // https://wiki.hypr.land/IPC/: it closes the connection after its answer.
    const path = join(runtimeDir, "hypr", hyprland, ".socket.sock");
    const answer = await askSocket(path, Buffer.from("j/activewindow"), () => undefined, signal);
    return { focus: focusOf(JSON.parse(answer.toString("utf8"))) };
  }
  return {};
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
      else if (bytes.length > maxAnswerBytes) end(new Error("too long an answer"));
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

function focusOf(node: unknown): Observed["focus"] {
  const pid = typeof node === "object" && node !== null ? (node as TreeNode).pid : undefined;
  return typeof pid === "number" && pid > 0 ? { pid } : undefined;
}
