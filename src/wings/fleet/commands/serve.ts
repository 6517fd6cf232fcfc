// `hookbell serve --fleet FILE`: counts the events of everyone in a fleet, by the stream instead of by HTTPS.
import type { OpenPart } from "../../../console/command.ts";
import { exitCodes, UserError } from "../../../model/errors.ts";
import { Secret } from "../../../model/privacy/secret.ts";
import { readIfThere } from "../../../system/files/read.ts";
import { readCredentials, serversIn } from "../credentials.ts";

/** Throws a `UserError` for a file that is no server's. */
export const openFeed: OpenPart = async ({ io: { clock, random }, value, onNote }) => {
  const file = value("fleet");
  if (file === undefined) return undefined;
  const text = readIfThere(file);
  if (text === undefined) throw new UserError("fleet.noFile", `there is no file ${file}`);
  const [member, where] = [readCredentials(text), serversIn(text)];
  if (member?.role !== "server" || where === undefined) {
    const is = member === undefined ? "" : `: its role is ${member.role}`;
    throw new UserError("fleet.badFile", `${file} is not a file of hookbell fleet add --role server${is}`, {
      hint: "on the administrator's machine: hookbell fleet add NAME/serve --role server",
      exitCode: exitCodes.badInput,
    });
  }
  // The file of a rotation takes the place of the one before.
  const connection = () => {
    const now = readIfThere(file) ?? text;
    const { servers, authority } = serversIn(now) ?? where;
    return Promise.resolve({ servers, authority, credentials: new Secret(now) });
  };
  const ending = new AbortController();
  let following = Promise.resolve();
  return {
    add() {},
    begin(count) {
      if (count === undefined) return onNote("nothing here counts the events of a fleet");
      following = import("../stream/feed.ts").then(
        async ({ followEvents }) =>
          await followEvents({
            member,
            tools: { clock, random },
            connection,
            take: count,
            onNote,
            signal: ending.signal,
          }),
      );
    },
    async end() {
      ending.abort();
      await following;
    },
  };
};
