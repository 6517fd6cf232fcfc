import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { endOfScript, transports } from "../../../src/wings/remote/transports.ts";
import { findPart } from "../../support/parts.ts";

it("is one script over another command line", () => {
  const script = transports.docker.argv("box").at(-1);
  expect(transports.docker.argv("box")).toEqual(["docker", "exec", "-i", "box", "sh", "-c", script]);
  expect(transports.docker.argv("vscode@box").slice(0, -3)).toEqual(["docker", "exec", "-i", "-u", "vscode", "box"]);
  expect(transports.kubectl.argv("shop/web-0")).toEqual(
    ["kubectl", "exec", "-i", "-n", "shop", "web-0", "--", "sh", "-c", script], // prettier-ignore
  );
  expect(transports.kubectl.argv("web-0")).toEqual(["kubectl", "exec", "-i", "web-0", "--", "sh", "-c", script]);
  expect(transports.wsl.argv("Debian")).toEqual(["wsl.exe", "-d", "Debian", "--exec", "sh", "-c", script]);
  expect(transports.ssh.argv("me@web1").slice(-3)).toEqual(["--", "me@web1", `exec sh -c '${script}'`]);
});

it("takes no target for a flag, and none that a shell would read", () => {
  for (const { isTarget } of Object.values(transports)) {
    for (const bad of ["-oProxyCommand=id", "", "a b", "a;id", "a\nb", "$(id)", "a'b"])
      expect(isTarget.test(bad)).toBe(false);
  }
});

const shells = ["sh", "dash", "bash", "zsh", "busybox", "fish", "csh", "tcsh"].filter(
  (each) => findPart(each) !== undefined,
);

it.each(shells)("starts in %s as the login shell", (shell) => {
  const command = transports.ssh.argv("web1").at(-1) ?? "";
  const argv = shell === "busybox" ? ["sh", "-c", command] : ["-c", command];
  const input = `printf '%s\\n' 'one  two\\n' "$((1 + 1))"\nread -r after\necho "$after"\n${endOfScript}\nfor the script\n`;
  expect(execFileSync(findPart(shell) ?? "", argv, { input, encoding: "utf8" })).toBe(
    "one  two\\n\n2\nfor the script\n",
  );
});
