// Tries the packed package on systems that have nothing else, with a stop watch: `npx hookbell init` up to the first message on a bare Debian 12
// with Node 20 and 24, and the steps of the Dockerfile as far as they can be done without a container engine. As root on Linux,
// after a build, with debootstrap and the network: node scripts/release/try-fresh-systems.mjs [FOLDER]. FOLDER keeps the bare Debian for the next run.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { fetchNode } from "../node-versions.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), "hookbell-fresh-"));
const bare = join(resolve(process.argv[2] ?? scratch), "debian-12");
/** The limit of each step: a download that hangs must not keep the run from ending. */
const limitMs = 300_000;
const secondsSince = (start) => ((performance.now() - start) / 1000).toFixed(1);

try {
  makeBareDebian();
  const [{ filename }] = JSON.parse(run("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", scratch]));
  for (const major of ["20", "24"]) await goFromNpxToMessage(major, join(scratch, filename));
  await runContainerSteps();
  console.log("\nall well");
} finally {
  // Node takes minutes for this many files.
  run("rm", ["--recursive", "--force", "--one-file-system", scratch]);
}

function run(program, args, options = {}) {
  return execFileSync(program, args, {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    timeout: limitMs,
    maxBuffer: 64 * 1024 * 1024,
    ...options,
  });
}

function makeBareDebian() {
  if (existsSync(join(bare, "usr/bin/setpriv"))) return;
  const start = performance.now();
  mkdirSync(bare, { recursive: true });
  run("debootstrap", ["--variant=minbase", "bookworm", bare]);
  console.log(`- a bare Debian 12 by debootstrap: ${secondsSince(start)} s`);
}

/** A copy of the bare system with Node from npm's package, and npm as this machine has it. */
function systemWithNode(major, name) {
  const folder = join(scratch, name);
  run("cp", ["--archive", "--reflink=auto", bare, folder]);
  const node = fetchNode(major);
  if ("missing" in node) throw new Error(node.missing);
  const bin = join(folder, "usr/local/bin");
  copyFileSync(node.path, join(bin, "node"));
  cpSync(join(run("npm", ["root", "--global"]).trim(), "npm"), join(folder, "usr/local/lib/node_modules/npm"), {
    recursive: true,
  });
  for (const program of ["npm", "npx"])
    symlinkSync(`../lib/node_modules/npm/bin/${program}-cli.js`, join(bin, program));
  copyFileSync("/etc/resolv.conf", join(folder, "etc/resolv.conf"));
  copyFileSync("/etc/hosts", join(folder, "etc/hosts"));
  run("chroot", [folder, "useradd", "--create-home", "--uid", "1000", "--shell", "/bin/sh", "node"]);
  return { folder, version: node.version };
}

/** Where this machine needs certificates or a registry of its own to reach npm, so does the system in the folder. */
function networkOf(folder) {
  const env = {
    npm_config_update_notifier: "false",
    npm_config_registry: run("npm", ["config", "get", "registry"]).trim(),
  };
  const certificates = process.env.NODE_EXTRA_CA_CERTS;
  if (certificates !== undefined) {
    mkdirSync(join(folder, dirname(certificates)), { recursive: true });
    copyFileSync(certificates, join(folder, certificates));
    env.NODE_EXTRA_CA_CERTS = certificates;
  }
  return env;
}

/** What runs in the folder, as a user without rights, with processes of its own, which end with it. */
function inSystem(folder, line, env, { isReadOnly = false } = {}) {
  const words = Object.entries({ PATH: "/usr/local/bin:/usr/bin:/bin", ...env }).map(
    ([key, value]) => `${key}=${value}`,
  );
  const mounts = isReadOnly
    ? 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && mount --bind "$1.data" "$1/data"'
    : "true";
  // The shell stays: the end of its parent ends it and all below it, which a change of the user would undo.
  const enter =
    'chroot "$root" setpriv --reuid 1000 --regid 1000 --clear-groups --bounding-set=-all --inh-caps=-all --no-new-privs env -i "$@"';
  const kernels = 'mount -t proc proc "$1/proc" && mount -t devpts devpts "$1/dev/pts"';
  const script = `root=$1; ${mounts} && ${kernels} && shift && ${enter}; exit $?`;
  return [
    "unshare",
    ["--mount", "--pid", "--fork", "--kill-child", "sh", "-c", script, "sh", folder, ...words, "sh", "-c", line],
  ];
}

async function goFromNpxToMessage(major, tarball) {
  const { folder, version } = systemWithNode(major, `debian-node-${major}`);
  const home = join(folder, "home/node");
  copyFileSync(tarball, join(home, "hookbell.tgz"));
  copyFileSync(join(root, "test/agents/known/claude-code/payloads/Stop.json"), join(folder, "tmp/Stop.json"));
  const server = createServer((_request, response) => response.end()).listen(0, "127.0.0.1");
  await once(server, "listening");
  const arrival = once(server, "request", { signal: AbortSignal.timeout(limitMs) });
  const rules = {
    channels: { ops: { type: "webhook", url: `http://127.0.0.1:${server.address().port}/` } },
    rules: [{ notify: ["ops"] }],
  };
  mkdirSync(join(home, ".claude"));
  mkdirSync(join(home, ".config/hookbell"), { recursive: true });
  writeFileSync(join(home, ".config/hookbell/rules.jsonc"), JSON.stringify(rules), { mode: 0o600 });
  run("chown", ["--recursive", "1000:1000", home]);
  const env = { HOME: "/home/node", npm_config_prefix: "/home/node/.local", ...networkOf(folder) };
  const commandOf =
    "console.log(JSON.parse(require('fs').readFileSync('.claude/settings.json')).hooks.Stop[0].hooks[0].command)";
  const lines = [
    "cd",
    "npx --yes ./hookbell.tgz init --yes",
    "echo installed",
    `sh -c "$(node -e "${commandOf}")" </tmp/Stop.json`,
    "sleep 30",
  ];
  const start = performance.now();
  const [program, args] = inSystem(folder, lines.join(" && "), env);
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  try {
    let installed = "";
    child.stdout.on("data", (chunk) => {
      if (chunk.includes("installed")) installed = secondsSince(start);
    });
    const ended = once(child, "exit").then(([code]) =>
      Promise.reject(new Error(`Node ${major}: ended with ${code}, and nothing arrived`)),
    );
    ended.catch(() => {});
    await Promise.race([arrival, ended]);
    console.log(
      `- Debian 12, Node ${version}: installed after ${installed} s, first message after ${secondsSince(start)} s`,
    );
  } finally {
    child.kill("SIGKILL");
    server.close();
  }
}

/** The instructions of the Dockerfile by name, in order; continued lines are one. */
function instructions() {
  const text = readFileSync(join(root, "Dockerfile"), "utf8").replace(/\\\n/g, " ");
  return [...text.matchAll(/^([A-Z]+) (.+(?:\n +.+)*)$/gm)].map(([, name, rest]) => ({ name, rest: rest.trim() }));
}

async function runContainerSteps() {
  const steps = instructions();
  const of = (wanted) => steps.filter(({ name }) => name === wanted).map(({ rest }) => rest);
  const [build, prepare] = of("RUN");
  const stage = systemWithNode("24", "stage");
  const start = performance.now();
  const sources = join(stage.folder, "src");
  mkdirSync(sources);
  const archive = join(scratch, "sources.tar");
  run("git", ["archive", "--output", archive, "HEAD"]);
  run("tar", ["--extract", "--file", archive, "--directory", sources]);
  run("chown", ["--recursive", "1000:1000", sources, join(stage.folder, "opt")]);
  const [program, args] = inSystem(stage.folder, `cd /src && ${build}`, {
    HOME: "/home/node",
    ...networkOf(stage.folder),
  });
  run(program, args);
  console.log(
    `- the Dockerfile's first stage (${build.split(" ").slice(0, 2).join(" ")}, ...): ${secondsSince(start)} s`,
  );

  const { folder } = systemWithNode("24", "image");
  run("cp", ["--archive", join(stage.folder, "opt/hookbell"), join(folder, "opt")]);
  run("chown", ["--recursive", "0:0", join(folder, "opt")]);
  run("chroot", [folder, "sh", "-c", prepare]);
  // The volume: what is in the image's folder, with its owner and mode.
  run("cp", ["--archive", join(folder, "data"), `${folder}.data`]);
  const env = Object.fromEntries(of("ENV").flatMap((rest) => rest.split(/ +/).map((pair) => pair.split("="))));
  env.PATH = env.PATH.replace("$PATH", "/usr/local/bin:/usr/bin:/bin");
  const inImage = (line) => inSystem(folder, line, env, { isReadOnly: true });
  const refused = run(...inImage("if true >/home/node/x; then echo written; else echo refused; fi 2>/dev/null"));
  if (refused.trim() !== "refused") throw new Error(`the root is not read-only: ${refused}`);
  const entry = JSON.parse(of("ENTRYPOINT")[0]).join(" ");
  const [serve, serveArgs] = inImage(`exec ${entry}`);
  const server = spawn(serve, serveArgs, { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [said] = await once(server.stdout, "data", { signal: AbortSignal.timeout(limitMs) });
    if (!String(said).startsWith("listening on ")) throw new Error(`serve said: ${said}`);
    const [node, ...words] = JSON.parse(of("HEALTHCHECK")[0].replace(/^.*?CMD /s, ""));
    const check = [node, ...words.map((word) => `'${word.replaceAll("'", "'\\''")}'`)].join(" ");
    run(...inImage(check));
    // A terminal within, as `docker exec -it` makes one.
    const keys = run(...inImage('script -qec "hookbell keys add ann@example.org --role owner" /dev/null'));
    if (!keys.includes("ann@example.org")) throw new Error(`keys add said: ${keys}`);
    console.log(
      `- \`${entry}\` as uid 1000, without capabilities, under a read-only root: well by its own health check; \`keys add\` writes to /data`,
    );
  } finally {
    server.kill("SIGKILL");
  }
}
