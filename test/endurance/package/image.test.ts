// The process of the container image, as its Dockerfile starts it: not root, without capabilities, and with a root file system
// that it cannot write to. An engine's own work, such as pulling the base and checking the health, is not part of it.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { isRegistryReachable, npmEnv } from "../../support/home/npm.ts";
import { packCopy } from "../../support/home/packed-hookbell.ts";
import { longestWaitMs } from "../../support/longest-wait.ts";
import { describeWithParts } from "../../support/parts.ts";

const dockerfile = readFileSync(new URL("../../../Dockerfile", import.meta.url), "utf8").replace(/\\\n/g, " ");
const guide = readFileSync(new URL("../../../docs/reference/INSTALL.md", import.meta.url), "utf8");
const instruction = (name: string): string => new RegExp(`^${name} (.+)$`, "m").exec(dockerfile)?.[1] ?? "";
const user = 1000;

const folder = mkdtempSync(join(tmpdir(), "hookbell-image-"));
chmodSync(folder, 0o755);
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

const parts = process.getuid?.() === 0 ? ["unshare", "mount", "setpriv", "script"] : ["right to mount"];

describeWithParts("the image's process", [...parts, ...(isRegistryReachable() ? [] : ["npm-registry"])], () => {
  it("serves, is healthy, and writes to its volume alone", async () => {
    const { filename } = packCopy(folder);
    const prefix = join(folder, "opt");
    // The last line of the first stage.
    const install = ["install", "--global", "--ignore-scripts", "--prefix", prefix, join(folder, filename)];
    execFileSync("npm", install, { env: npmEnv(), stdio: "ignore" });
    const data = join(folder, "data");
    mkdirSync(data, { mode: 0o700 });
    chownSync(data, user, user);

    const settings = Object.fromEntries(
      instruction("ENV")
        .split(" ")
        .map((pair) => pair.split("=")),
    );
    const env = [
      `PATH=${join(prefix, "bin")}:${dirname(process.execPath)}:/usr/bin:/bin`,
      ...["HOOKBELL_STATE_DIR", "HOOKBELL_CONFIG_DIR"].map(
        (name) => `${name}=${settings[name]?.replace(/^\/data/, data)}`,
      ),
    ];
    expect(env.at(-1)).toBe(`HOOKBELL_CONFIG_DIR=${data}/config`);
    const isolate = "--mount --pid --fork --kill-child --mount-proc";
    const dropRights = `setpriv --reuid ${user} --regid ${user} --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all`;
    const inImage = (argv: readonly string[]): string[] => [
      ...isolate.split(" "),
      "sh",
      "-c",
      readOnly,
      "sh",
      data,
      ...dropRights.split(" "),
      "env",
      "-i",
      ...env,
      ...argv,
    ];
    const run = (...argv: string[]) => spawnSync("unshare", inImage(argv), { encoding: "utf8" });
    const canWrite = (path: string): boolean => run("sh", "-c", ': >"$0/try"', path).status === 0;
    expect({ data: canWrite(data), tmp: canWrite("/tmp") }).toEqual({ data: true, tmp: false });

    const entry = JSON.parse(instruction("ENTRYPOINT")) as string[];
    // Another program of this machine may have the usual port.
    const server = spawn("unshare", inImage([...entry, "--port", "0"]), { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void server.kill("SIGKILL"));
    const [said] = (await once(server.stdout, "data", { signal: AbortSignal.timeout(longestWaitMs) })) as [Buffer];
    const [, port = ""] = /^listening on http:\/\/0\.0\.0\.0:(\d+)\n/.exec(said.toString()) ?? [];
    expect(port).not.toBe("");
    const [, check = "[]"] = /^HEALTHCHECK .*CMD (\[.+\])$/m.exec(dockerfile) ?? [];
    const healthy = (JSON.parse(check) as string[]).map((word) => word.replace("8765", port));
    expect(run(...healthy)).toMatchObject({ status: 0, stderr: "" });
    const [, addsKey = ""] = /^docker exec -it hookbell (hookbell keys add .*?)(?: +#.*)?$/m.exec(guide) ?? [];
    expect(run("sh", "-c", addsKey)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("with docker exec, add -it") as string,
    });
    // A terminal within, as `docker exec -it` makes one.
    expect(run("script", "-qec", addsKey, "/dev/null")).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("ann@example.org") as string,
    });
  });
});

/**
 * Every mount becomes read-only, but the volume; the system's own kinds refuse, and hold nothing of the image. The shell stays,
 * since the change of the user would undo that the end of unshare ends what it started.
 */
const readOnly = `mount --make-rprivate /
data=$1
shift
mount --bind "$data" "$data"
while read -r _ point _; do
  case $point in "$data" | /proc* | /sys*) ;; *) mount -o remount,bind,ro "$point" 2>/dev/null || true ;; esac
done </proc/self/mounts
"$@"
exit $?`;
