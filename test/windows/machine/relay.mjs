// Runs on Windows and starts programs there for a test out here, with pipes of Windows: Wine's programs cannot use those of Linux.
// Each line of the socket is a call, and each answer a line.
import { spawn } from "node:child_process";
import { connect } from "node:net";

const socket = connect(Number(process.argv[2]), "127.0.0.1");
let read = "";
socket.setEncoding("utf8");
socket.on("data", (chunk) => {
  const lines = (read + chunk).split("\n");
  read = lines.pop();
  for (const line of lines) answer(JSON.parse(line));
});
socket.on("close", () => process.exit());

function answer({ id, kill, ...call }) {
  const say = (result) => socket.write(`${JSON.stringify({ id, ...result })}\n`);
  if (kill === undefined) return start(call, say);
  try {
    process.kill(kill, "SIGKILL");
    say({ code: 0 });
  } catch (error) {
    say({ code: 1, stderr: error.message });
  }
}

function start({ argv: [program, ...args], env, cwd, input, isVerbatim }, say) {
  const started = performance.now();
  const output = { stdout: [], stderr: [] };
  const said = (name) => Buffer.concat(output[name]).toString();
  const end = (code) => {
    say({ code, stdout: said("stdout"), stderr: said("stderr"), ms: Math.round(performance.now() - started) });
  };
  try {
    const options = { env: withVariables(env), cwd, windowsVerbatimArguments: isVerbatim, windowsHide: true };
    const child = spawn(program, args, options);
    for (const name of ["stdout", "stderr"]) child[name].on("data", (chunk) => output[name].push(chunk));
    child.on("error", ({ message }) => end(message));
    child.on("close", end);
    child.stdin.on("error", () => {});
    child.stdin.end(Buffer.from(input, "base64"));
  } catch ({ message }) {
    end(message);
  }
}

/** Windows has each variable once, whatever the case of its letters. */
function withVariables(variables) {
  const set = Object.keys(variables).map((name) => name.toUpperCase());
  const others = Object.entries(process.env).filter(([name]) => !set.includes(name.toUpperCase()));
  return Object.fromEntries([...others, ...Object.entries(variables).filter(([, value]) => value !== null)]);
}
