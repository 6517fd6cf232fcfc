// Passwords in command lines, in statements of SQL, and in lines of PostgreSQL's password file.
import { isOptionValue, isProse } from "./named-secrets.ts";
import { isPlaceholder, isRandomLooking } from "./random-looking.ts";
import { endOf, type Pass, type SecretPlace } from "./secret.ts";

const blank = "[ \\t]{1,4}";
/** Stands for the arguments between a program and the option: a gap that no expression reads, because it would be read again for each program. */
const some = "<some>";
/** The unit is UTF-16 units. */
const maxGapLength = 200;
const argument = "[^\\s]{1,100}";
const user = "[ =]?[\"']?[^\\s:\"']{1,64}:";

const share = `(?:"[^"\\n]{1,100}"|\\\\\\\\[^\\s]{1,200})`;

/** Programs, each with what stands between its name and the password. */
const programs: readonly [names: string, before: string][] = [
  ["sshpass", `${blank}-p[ \\t]{0,4}`],
  [
    "mysql mysqldump mysqladmin mysqlsh mysqlimport mysqlcheck mysqlshow mysqlpump mysql_upgrade mycli mariadb mariadb-dump mariadb-admin mariadb-import mariadb-check 7z 7za 7zr 7zz rar unrar",
    `${some}["']?-(?:hp|p)`,
  ],
  ["docker podman nerdctl buildah skopeo oras crane helm az oc cf argocd", `${some}login${some}-p${blank}`],
  [
    "psexec psexec64 evil-winrm twine mongosh mongo mongodump mongorestore mongoimport mongoexport cqlsh rabbitmqadmin ncftp",
    `${some}-p${blank}`,
  ],
  ["redis-cli valkey-cli keydb-cli", `${some}-a${blank}`],
  ["zip unzip sqlcmd bcp osql mosquitto_pub mosquitto_sub mosquitto_rr ipmitool", `${some}-P${blank}`],
  ["htpasswd", `${blank}-(?=\\w{0,6}b)(?!\\w{0,6}n)\\w{1,6}${blank}${argument}${blank}${argument}${blank}`],
  ["htpasswd", `${blank}-(?=\\w{0,6}b)(?=\\w{0,6}n)\\w{1,6}${blank}${argument}${blank}`],
  ["ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldappasswd ldapcompare ldapmodrdn", `${some}-w${blank}`],
  ["smbclient rpcclient smbget net winexe wbinfo pdbedit", `${some}(?:-U|--user)[= \\t]{0,4}["']?[^\\s%"']{1,64}%`],
  ["-pass -passin -passout", `${blank}["']?pass:`],
  ["aws", `${some}configure${blank}set${blank}[\\w.-]{0,40}(?:secret_access_key|session_token)${blank}`],
  // Each of these options has a secret of its own.
  ["-storepass -keypass -srcstorepass -deststorepass -srckeypass -destkeypass", blank],
  ["ssh-keygen", `${some}-N${blank}`],
  ["ssh-keygen", `${some}-P${blank}`],
  ["openssl", `${blank}enc${some}-k${blank}`],
  ["openssl", `${blank}passwd(?:${blank}-\\w{1,10}){0,3}${blank}(?!-)`],
  ["snmpget snmpwalk snmpset", `${some}-[AX]${blank}`],
  ["pdftk", `${some}(?:input|user|owner)_pw${blank}`],
  ["nmcli", `${some}password${blank}`],
  ["wpa_passphrase", `${blank}${argument}${blank}`],
  ["rabbitmqctl", `${blank}(?:add_user|change_password)${blank}${argument}${blank}`],
  ["rclone", `${blank}obscure${blank}`],
  ["security", `${some}-[pw]${blank}`],
  ["cmdkey wmic", `${some}/pass(?:word)?:`],
  ["caddy", `${some}--plaintext[ =]`],
  ["aws", `${some}--secret-string[ =]`],
  ["az", `${some}secret${blank}set${some}--value[ =]`],
  ["gh", `${blank}secret${blank}set${some}(?:-b|--body)[ =]`],
  ["ngrok", `${blank}(?:config${blank}add-)?authtoken${blank}`],
  ["npm yarn pnpm", `${blank}config${blank}set${blank}[^\\s=]{0,100}(?:_auth|_authToken|_password)${blank}`],
  ["lftp", `${some}-u${blank}["']?[^\\s,"']{1,64},`],
  ["sqlplus", `${blank}[^\\s/]{1,64}/`],
  ["xfreerdp", `${some}/p:`],
  ["curl", `${some}(?:-[a-zA-Z]{0,6}u|--user|--proxy-user|-U)${user}`],
  ["http https xh", `${some}(?:-a|--auth)${user}`],
  // What another program reads from its standard input.
  [
    "echo",
    `${blank}(?:-n${blank})?["']?(?=[^|\\n"']{1,100}(?:["'][ \\t]{0,4})?\\|[^|\\n]{0,80}?(?:--password-stdin|sudo -S|--with-token|chpasswd|passwd --stdin|--passphrase-fd|cryptsetup|kinit))(?:[\\w.-]{1,40}:)?`,
  ],
  ["--with-token --password-stdin chpasswd", `(?:[ \\t][^\\n|;&<]{0,100})?<<<[ \\t]{0,4}["']?(?:[\\w.-]{1,40}:)?`],
  ["vault", `${blank}login${blank}(?:-[^\\s=]{1,40}${blank}){0,3}(?=[\\w.-]{8})(?=[\\w.-]{0,80}\\d)(?![\\w-]{1,40}=)`],
  // https://learn.microsoft.com/en-us/windows-server/administration/windows-commands/net-use
  ["net", `${blank}user${blank}[^\\s/]{1,64}${blank}(?![/*])`],
  ["net", `${blank}use${blank}(?:(?:[A-Za-z]:|\\*)${blank})?${share}${blank}(?![/*])`],
  ["net", `${blank}use${blank}(?:(?:[A-Za-z]:|\\*)${blank})?${share}${blank}/user:[^\\s]{1,64}${blank}(?![/*])`],
  // A line of `.netrc`.
  ["login", `\\s{1,4}\\S{1,100}\\s{1,4}password[ \\t]{1,4}`],
];

/** An option is found by parts: the first follows the program, and each other one comes after a gap. */
interface Option {
  first: RegExp;
  others: readonly RegExp[];
}

/** The keys are programs' names. Programs with the same options share them. */
const optionsOf = new Map<string, (() => Option)[]>();
for (const [names, before] of programs) {
  let option: Option | undefined;
  const made = (): Option => (option ??= optionFrom(before));
  for (const name of names.split(" ")) optionsOf.set(name, [...(optionsOf.get(name) ?? []), made]);
}

/** An expression is made when it is first needed. */
function optionFrom(before: string): Option {
  const [first = "", ...others] = `${before}(["'])?`.split(some);
  const isLast = (nth: number): boolean => nth === others.length - 1;
  return {
    first: new RegExp(first, "y"),
    others: others.map((other, nth) => new RegExp(`[ \\t]${other}${isLast(nth) ? "" : "(?=[ \\t])"}`, "g")),
  };
}

type Next = (expression: RegExp, from: number) => RegExpExecArray | undefined;

/** Finds the next match, and remembers it until the search is past it: repeated programs then cost no more than one. */
function createNext(text: string): Next {
  const known = new Map<RegExp, { from: number; match: RegExpExecArray | undefined }>();
  return (expression, from) => {
    const last = known.get(expression);
    if (last !== undefined && from >= last.from && from <= (last.match?.index ?? Infinity)) return last.match;
    expression.lastIndex = from;
    const match = expression.exec(text) ?? undefined;
    known.set(expression, { from, match });
    return match;
  };
}

const separator = /[\n|;&]/g;

function matchOption({ first, others }: Option, from: number, text: string, next: Next): RegExpExecArray | undefined {
  first.lastIndex = from;
  let match = first.exec(text) ?? undefined;
  for (const other of others) {
    if (match === undefined) return undefined;
    const start = match.index + match[0].length;
    match = next(other, start);
    if (match === undefined || match.index - start > maxGapLength) return undefined;
    if ((next(separator, start)?.index ?? Infinity) < match.index) return undefined;
  }
  return match;
}

/** A test repeats each of them. */
export const commandNames: readonly string[] = [...optionsOf.keys()];

const program = new RegExp(`(?<![\\w-])(?:${commandNames.join("|")})(?=\\s)`, "g");

/** Finds `sshpass -p x`, `mysql -px`, `docker login -p x`, `htpasswd -b file user x` in one text. */
export function commandOptions(text: string): Pass {
  const next = createNext(text);
  return {
    beginning: program,
    place({ index, 0: name }) {
      for (const option of optionsOf.get(name) ?? []) {
        const match = matchOption(option(), index + name.length, text, next);
        const found = match === undefined ? undefined : optionAfter(match, text);
        if (found?.kind !== undefined) return found;
      }
      return { start: index, end: index };
    },
  };
}

/** Reading stops here, so that many openings of a quote take no longer than one. */
const maxOptionLength = 1000;

function optionAfter(match: RegExpExecArray, text: string): SecretPlace {
  const start = match.index + match[0].length;
  // The quote can stand before the name of the user as well.
  const quote = match[1] ?? /["'](?=[^\s"']*$)/.exec(match[0].slice(-80))?.[0];
  const isEnd = (char: string): boolean =>
    quote === undefined ? /[\s"'\\`|;&]/.test(char) : char === quote || char === "\n" || char === "\\";
  const end = endOf(text, start, isEnd, maxOptionLength);
  return isOptionValue(text.slice(start, end)) ? { start, end, kind: "password" } : { start, end: start };
}

/** `-u me:x` of any program. */
export const logins: Pass = {
  beginning: /\s(?:-u|--user)[ =]?["']?[^\s:"']{1,64}:/g,
  place(match, text) {
    const start = match.index + match[0].length;
    const end = endOf(text, start, (char) => /[\s"'\\]/.test(char));
    const value = text.slice(start, end);
    const isMixed = value.length >= 8 && /\d/.test(value) && /[A-Za-z]{3}/.test(value) && !isPlaceholder(value);
    return isMixed || isRandomLooking(value, 6) ? { start, end, kind: "password" } : { start, end };
  },
};

const space = "\\s{1,4}";
const identified = `identified(?:${space}with${space}["'\`]?[\\w$]{1,40}["'\`]?)?${space}(?:by|as)(?:${space}password)?${space}`;
const passwordFor = `password${space}for${space}[^\\s=]{1,100}\\s{0,4}=\\s{0,4}(?:password\\()?`;
/** What is so far before the password, at most. */
const statementLength = 300;
const statement =
  /\b(?:create|alter)\s{1,4}(?:or\s{1,4}replace\s{1,4})?(?:user|role|login|group|server|subscription)\b|\bgrant\s|\bset\s{1,4}password\b/i;
const maxPasswordLength = 200;

/**
 * `CREATE USER bob PASSWORD 'x'`, `ALTER USER bob IDENTIFIED BY 'x'`, `SET PASSWORD FOR bob = 'x'`:
 * https://www.postgresql.org/docs/current/sql-createrole.html, https://dev.mysql.com/doc/refman/8.4/en/create-user.html
 */
export const statementPasswords: Pass = {
  beginning: new RegExp(`\\b(?:${identified}|${passwordFor}|password${space}(?=\\\\?["']))(\\\\?["'])?`, "gi"),
  place(match, text): SecretPlace {
    const start = match.index + match[0].length;
    const before = text.slice(Math.max(0, start - statementLength), start);
    const quote = match[1]?.at(-1);
    const end = endOf(
      text,
      start,
      (char) => (quote === undefined ? /[\s;,"'`)\\]/.test(char) : char === quote || char === "\n" || char === "\\"),
      maxPasswordLength,
    );
    const value = text.slice(start, end);
    const isSecret =
      statement.test(before.slice(before.lastIndexOf(";") + 1)) && isOptionValue(value) && !isProse(value);
    return isSecret ? { start, end, kind: "password" } : { start, end: start };
  },
};

/** `host:port:database:user:password`, with a port of PostgreSQL: https://www.postgresql.org/docs/current/libpq-pgpass.html */
export const passwordFileLines: Pass = {
  beginning: /(?<![\w.:/*-])(?:[\w.-]{1,100}|\*):(?:543\d|6432|26257|\*):[\w.*-]{1,63}:[\w.@*-]{1,63}:/g,
  place(match, text): SecretPlace {
    const start = match.index + match[0].length;
    const end = endOf(text, start, (char) => /[\s"'`,;]/.test(char), maxPasswordLength);
    return isOptionValue(text.slice(start, end)) ? { start, end, kind: "password" } : { start, end: start };
  },
};
