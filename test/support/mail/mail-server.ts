// A real mail server on loopback: Postfix takes mail in and asks Dovecot about logins; Dovecot writes the Maildir.
import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, closeSync, copyFileSync, mkdirSync, mkdtempSync, openSync } from "node:fs";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../random/free-port.ts";
import { longestWaitMs } from "../longest-wait.ts";
import { startGreylisting } from "./greylisting.ts";
import { findPart } from "../parts.ts";

const isRoot = process.getuid?.() === 0;
/** For `describeWithParts`; Postfix changes users, so that being root is one more part. */
export const mailServerParts = ["postfix", "dovecot", "doveadm", "openssl", ...(isRoot ? [] : ["root rights"])];

export interface MailServer {
  /** STARTTLS and a login are required. */
  startTlsPort: number;
  implicitTlsPort: number;
  /** Takes mail for `@test.local` without either. */
  plainPort: number;
  /** The CA of the certificate, which is for `localhost` alone. */
  caFile: string;
  /** Who was asked about by the greylisting, and for whom, in order. */
  greylisted: readonly string[];
  /** Waits until the person has so many mails, and gives them as they were stored, oldest first. */
  mailsOf(person: string, count: number): Promise<string[]>;
  stop(): void;
}

/** Password of `alice` and `bob`, chosen so that it can be looked for in outcomes. */
export const mailPassword = "s3cret/of-the@mailbox";
/** `reject@test.local` is refused for good, `slow@test.local` for now, `grey@test.local` the first time. */
const recipientRules =
  "reject@test.local 550 5.7.1 policy says no\nslow@test.local 451 4.7.1 try again later\ngrey@test.local greylisting\n";
export const maxMailBytes = 60_000;
/** Debian's user and group for mailboxes. */
const mailUserId = 8;

function run(program: string, args: readonly string[], log: string, cwd?: string): void {
  const path = findPart(program) ?? program;
  // Daemons keep their output open: a pipe would never end.
  const output = openSync(log, "a");
  const { status } = spawnSync(path, args, {
    stdio: ["ignore", output, output],
    timeout: longestWaitMs,
    killSignal: "SIGKILL",
    cwd,
  });
  closeSync(output);
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: exit code ${status}\n${readFileSync(log, "utf8")}`);
}

function makeCertificates(dir: string, log: string): void {
  mkdirSync(dir);
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const openssl = (...args: string[]): void => run("openssl", args, log, dir);
  openssl(
    "req",
    "-x509",
    ...newKey,
    "-keyout",
    "ca.key",
    "-out",
    "ca.pem",
    "-days",
    "2",
    "-subj",
    "/CN=hookbell test CA",
  );
  openssl("req", ...newKey, "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=localhost");
  writeFileSync(join(dir, "names"), "subjectAltName=DNS:localhost\n");
  const signing = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "names"];
  openssl("x509", "-req", "-in", "server.csr", ...signing, "-out", "server.pem");
}

function writeDovecot(root: string): string {
  const users = join(root, "users");
  writeFileSync(users, ["alice", "bob", "grey"].map((user) => `${user}:{PLAIN}${mailPassword}::::::\n`).join(""));
  const socket = (name: string, mode: string): string =>
    `unix_listener ${root}/queue/private/${name} {\n mode = ${mode}\n user = postfix\n }`;
  const file = join(root, "dovecot.conf");
  writeFileSync(
    file,
    `base_dir = ${root}/run
log_path = ${root}/dovecot.log
protocols = lmtp
listen = 127.0.0.1
ssl = no
auth_mechanisms = plain login
auth_username_format = %n
first_valid_uid = 1
mail_location = maildir:${root}/mail/%n/Maildir
passdb {
 driver = passwd-file
 args = scheme=PLAIN username_format=%n ${users}
}
userdb {
 driver = static
 args = uid=${mailUserId} gid=${mailUserId} home=${root}/mail/%n
}
service auth {
 ${socket("dovecot-login", "0660")}
}
# A wrong password is not to slow down the tests after it.
service anvil {
 unix_listener anvil-auth-penalty {
  mode = 0
 }
}
service lmtp {
 ${socket("dovecot-lmtp", "0600")}
}
`,
  );
  return file;
}

function writePostfix(
  root: string,
  ports: Pick<MailServer, "startTlsPort" | "implicitTlsPort" | "plainPort"> & { greylistingPort: number },
): string {
  const dir = join(root, "postfix");
  mkdirSync(dir);
  writeFileSync(join(dir, "recipients"), recipientRules);
  writeFileSync(
    join(dir, "boxes"),
    ["alice", "bob", "grey", "slow", "reject"].map((box) => `${box}@test.local x\n`).join(""),
  );
  writeFileSync(
    join(dir, "main.cf"),
    `compatibility_level = 3.6
queue_directory = ${root}/queue
data_directory = ${root}/postfix-data
maillog_file = ${root}/postfix.log
maillog_file_prefixes = ${root}
myhostname = localhost
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks =
virtual_mailbox_domains = test.local
virtual_mailbox_maps = texthash:${dir}/boxes
virtual_transport = lmtp:unix:private/dovecot-lmtp
message_size_limit = ${maxMailBytes}
smtpd_tls_cert_file = ${root}/tls/server.pem
smtpd_tls_key_file = ${root}/tls/server.key
smtpd_sasl_type = dovecot
smtpd_sasl_path = private/dovecot-login
smtpd_sasl_auth_enable = yes
smtpd_tls_auth_only = yes
smtpd_restriction_classes = greylisting
greylisting = check_policy_service inet:127.0.0.1:${ports.greylistingPort}
smtpd_recipient_restrictions = check_recipient_access texthash:${dir}/recipients, reject_unlisted_recipient, permit
smtpd_relay_restrictions = permit_sasl_authenticated, reject
smtpd_error_sleep_time = 0
`,
  );
  const master = join(dir, "master.cf");
  copyFileSync("/usr/share/postfix/master.cf.dist", master);
  const services = readFileSync(master, "utf8")
    .replace(/^smtp +inet .*$/m, "")
    // No chroot: the folder has none of what one needs.
    .replace(/^(\w+ +(?:unix|unix-dgram|fifo) +\S+ +\S+ +)y/gm, "$1n");
  const listen = (port: number, option: string): string => `127.0.0.1:${port} inet n - n - - smtpd -o ${option}\n`;
  writeFileSync(
    master,
    services +
      listen(ports.startTlsPort, "smtpd_tls_security_level=encrypt") +
      listen(ports.implicitTlsPort, "smtpd_tls_wrappermode=yes") +
      listen(ports.plainPort, "smtpd_relay_restrictions=permit_auth_destination,reject"),
  );
  return dir;
}

export async function startMailServer(): Promise<MailServer> {
  // Postfix and Dovecot run as users of their own, which must be able to come through here.
  const root = mkdtempSync(join(tmpdir(), "hookbell-mail-"));
  chmodSync(root, 0o755);
  const log = join(root, "start.log");
  const [startTlsPort, implicitTlsPort, plainPort] = [await freePort(), await freePort(), await freePort()];
  for (const name of ["queue", "queue/private", "queue/pid", "postfix-data", "mail"]) mkdirSync(join(root, name));
  chownSync(join(root, "mail"), mailUserId, mailUserId);
  run("chown", ["postfix", join(root, "postfix-data"), join(root, "queue/private")], log);
  makeCertificates(join(root, "tls"), log);
  const dovecot = writeDovecot(root);
  const greylisting = await startGreylisting();
  const greylistingPort = greylisting.port;
  const postfix = writePostfix(root, { startTlsPort, implicitTlsPort, plainPort, greylistingPort });
  const stop = (): void => {
    try {
      run("postfix", ["-c", postfix, "stop"], log);
    } finally {
      greylisting.stop();
      run("doveadm", ["-c", dovecot, "stop"], log);
      rmSync(root, { recursive: true, force: true });
    }
  };
  run("dovecot", ["-c", dovecot], log);
  try {
    run("postfix", ["-c", postfix, "start"], log);
  } catch (error) {
    greylisting.stop();
    run("doveadm", ["-c", dovecot, "stop"], log);
    throw error;
  }
  const mailsOf = async (person: string, count: number): Promise<string[]> => {
    const dir = join(root, "mail", person, "Maildir", "new");
    for (const deadline = Date.now() + longestWaitMs; ; await sleep(50)) {
      const names = listMails(dir);
      if (names.length >= count) return names.map((name) => readFileSync(join(dir, name), "utf8"));
      if (Date.now() > deadline) throw new Error(`${person} has ${names.length} mails, expected ${count}`);
    }
  };
  return {
    startTlsPort,
    implicitTlsPort,
    plainPort,
    caFile: join(root, "tls/ca.pem"),
    greylisted: greylisting.asked,
    mailsOf,
    stop,
  };
}

function listMails(dir: string): string[] {
  try {
    return readdirSync(dir).sort((a, b) => storedAt(a) - storedAt(b));
  } catch {
    // Dovecot makes the folder with the first mail.
    return [];
  }
}

/** Microseconds since the epoch, from a name such as `1795261711.M9123P4711.host`. */
function storedAt(name: string): number {
  const [, seconds, microseconds] = /^(\d+)\.M(\d+)P/.exec(name) ?? [];
  return Number(seconds) * 1e6 + Number(microseconds);
}
