// The command lines that run a shell script on another machine: one row for each way to get there.

/** Reads a script from its standard input up to a last line, and runs it: the login shell there may be any, and shells read ahead. */
const readScript =
  's=;n=$(echo;echo .);n=${n%.};while IFS= read -r l;do [ "$l" = end-of-script ]&&break;s=$s$l$n;done;eval "$s"';

export const endOfScript = "end-of-script";

interface Transport {
  /** What the target is called in help and messages. */
  target: string;
  isTarget: RegExp;
  argv(target: string): [string, ...string[]];
  /** A command that the person can run to see whether the way is open. */
  trial(target: string): string;
}

const name = /^[A-Za-z0-9][\w.-]{0,252}$/;

export const transports = {
  // https://man.openbsd.org/ssh: keys, jump hosts and multiplexing are the person's own settings.
  ssh: {
    target: "HOST",
    isTarget: /^[A-Za-z0-9_][\w.@:%[\]+-]{0,252}$/,
    argv: (target) => [
      "ssh",
      "-T",
      "-a",
      "-x",
      ...["BatchMode=yes", "ConnectTimeout=20", "ServerAliveInterval=15", "ClearAllForwardings=yes"].flatMap((each) => [
        "-o",
        each,
      ]),
      "--",
      target,
      `exec sh -c '${readScript}'`,
    ],
    trial: (target) => `ssh -o BatchMode=yes ${target} true`,
  },
  // https://docs.docker.com/reference/cli/docker/container/exec/
  docker: {
    target: "[USER@]CONTAINER",
    isTarget: /^(?:[A-Za-z_][\w.-]{0,63}@)?[A-Za-z0-9][\w.-]{0,252}$/,
    argv: (target) => ["docker", "exec", "-i", ...dockerTarget(target), "sh", "-c", readScript],
    trial: (target) => `docker exec ${dockerTarget(target).join(" ")} true`,
  },
  // https://kubernetes.io/docs/reference/kubectl/generated/kubectl_exec/
  kubectl: {
    target: "[NAMESPACE/]POD",
    isTarget: /^(?:[a-z0-9][a-z0-9-]{0,62}\/)?[a-z0-9][a-z0-9.-]{0,252}$/,
    argv: (target) => ["kubectl", "exec", "-i", ...kubectlTarget(target), "--", "sh", "-c", readScript],
    trial: (target) => `kubectl exec ${kubectlTarget(target).join(" ")} -- true`,
  },
  // https://learn.microsoft.com/windows/wsl/basic-commands
  wsl: {
    target: "DISTRIBUTION",
    isTarget: name,
    argv: (target) => ["wsl.exe", "-d", target, "--exec", "sh", "-c", readScript],
    trial: (target) => `wsl.exe -d ${target} --exec true`,
  },
} as const satisfies Record<string, Transport>;

function dockerTarget(target: string): string[] {
  const [container = "", user] = target.split("@").toReversed();
  return user === undefined ? [container] : ["-u", user, container];
}

function kubectlTarget(target: string): string[] {
  const [pod = "", namespace] = target.split("/").toReversed();
  return namespace === undefined ? [pod] : ["-n", namespace, pod];
}

export type TransportName = keyof typeof transports;
export const transportNames = Object.keys(transports) as TransportName[];
/** What `--by` takes: these, and the ways by which events come without a script. */
export const ways = [...transportNames, "http", "file"] as const;
