// Passwords on the command lines of programs that take them as an option or an argument.
import { isOptionValue } from "./named-secrets.ts";
import { isPlaceholder, isRandomLooking } from "./random-looking.ts";
import { endOf, type Pass, type SecretPlace } from "./secret-place.ts";

const blank = "[ \\t]{1,4}";
/** The arguments between a program and the option. */
const some = "(?:[ \\t][^\\n|;&]{0,200}?)?[ \\t]";
const argument = "[^\\s]{1,100}";
const user = "[ =]?[\"']?[^\\s:\"']{1,64}:";

/** Programs, each with what stands between its name and the password. */
const programs: readonly [names: string, before: string][] = [
  ["sshpass", `${blank}-p[ \\t]{0,4}`],
  ["mysql mysqldump mysqladmin mysqlsh mariadb mariadb-dump mariadb-admin 7z 7za", `${some}-p`],
  ["docker podman nerdctl buildah skopeo oras crane helm az oc cf argocd", `${some}login${some}-p${blank}`],
  ["twine mongosh mongo mongodump mongorestore mongoimport mongoexport cqlsh rabbitmqadmin ncftp", `${some}-p${blank}`],
  ["redis-cli valkey-cli keydb-cli", `${some}-a${blank}`],
  ["zip unzip sqlcmd bcp osql", `${some}-P${blank}`],
  ["htpasswd", `${blank}-(?=\\w{0,6}b)(?!\\w{0,6}n)\\w{1,6}${blank}${argument}${blank}${argument}${blank}`],
  ["htpasswd", `${blank}-(?=\\w{0,6}b)(?=\\w{0,6}n)\\w{1,6}${blank}${argument}${blank}`],
  ["ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldappasswd ldapcompare ldapmodrdn", `${some}-w${blank}`],
  ["smbclient rpcclient smbget net winexe wbinfo pdbedit", `${some}(?:-U|--user)[= \\t]{0,4}["']?[^\\s%"']{1,64}%`],
  ["-pass -passin -passout", `${blank}["']?pass:`],
  ["aws", `${some}configure${blank}set${blank}[\\w.-]{0,40}(?:secret_access_key|session_token)${blank}`],
  ["keytool jarsigner apksigner", `${some}-(?:src|dest)?(?:storepass|keypass)${blank}`],
  ["lftp", `${some}-u${blank}["']?[^\\s,"']{1,64},`],
  ["sqlplus", `${blank}[^\\s/]{1,64}/`],
  ["xfreerdp", `${some}/p:`],
  ["curl", `${some}(?:-[a-zA-Z]{0,6}u|--user|--proxy-user|-U)${user}`],
  ["http https xh", `${some}(?:-a|--auth)${user}`],
  // What another program reads from its standard input.
  [
    "echo",
    `${blank}(?:-n${blank})?["']?(?=[^|\\n"']{1,100}["']?[ \\t]{0,4}\\|[^|\\n]{0,80}?(?:--password-stdin|sudo -S|--with-token|chpasswd))(?:[\\w.-]{1,40}:)?`,
  ],
  // A line of `.netrc`.
  ["login", `\\s{1,4}\\S{1,100}\\s{1,4}password[ \\t]{1,4}`],
];

/** The keys are programs' names. An expression is made when it is first needed. */
const expressions = new Map<string, (string | RegExp)[]>();
for (const [names, before] of programs) {
  for (const name of names.split(" ")) expressions.set(name, [...(expressions.get(name) ?? []), `${before}(["'])?`]);
}

/** `sshpass -p x`, `mysql -px`, `docker login -p x`, `htpasswd -b file user x`. */
export const commandOptions: Pass = {
  beginning: new RegExp(`(?<![\\w-])(?:${[...expressions.keys()].join("|")})(?=\\s)`, "g"),
  place({ index, 0: program }, text) {
    const known = expressions.get(program) ?? [];
    for (const [nth, each] of known.entries()) {
      const expression = typeof each === "string" ? new RegExp(each, "y") : each;
      known[nth] = expression;
      expression.lastIndex = index + program.length;
      const match = expression.exec(text);
      if (match !== null) return optionAfter(match, text);
    }
    return { start: index, end: index };
  },
};

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
