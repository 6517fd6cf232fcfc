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
  },
  // https://docs.docker.com/reference/cli/docker/container/exec/
  docker: {
    target: "CONTAINER",
    isTarget: name,
    argv: (target) => ["docker", "exec", "-i", target, "sh", "-c", readScript],
  },
  // https://kubernetes.io/docs/reference/kubectl/generated/kubectl_exec/
  kubectl: {
    target: "[NAMESPACE/]POD",
    isTarget: /^(?:[a-z0-9][a-z0-9-]{0,62}\/)?[a-z0-9][a-z0-9.-]{0,252}$/,
    argv: (target) => {
      const [pod = "", namespace] = target.split("/").toReversed();
      const where = namespace === undefined ? [] : ["-n", namespace];
      return ["kubectl", "exec", ...where, "-i", pod, "--", "sh", "-c", readScript];
    },
  },
  // https://learn.microsoft.com/windows/wsl/basic-commands
  wsl: {
    target: "DISTRIBUTION",
    isTarget: name,
    argv: (target) => ["wsl.exe", "-d", target, "--exec", "sh", "-c", readScript],
  },
} as const satisfies Record<string, Transport>;

export type TransportName = keyof typeof transports;
export const transportNames = Object.keys(transports) as TransportName[];
