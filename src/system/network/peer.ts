// Whose program is at the other end of a connection from this computer, as the system says it.
import { userInfo } from "node:os";
import type { Socket } from "node:net";
import { readStartIfThere } from "../files/read.ts";

const rootUid = 0;
const maxTableBytes = 4 * 1024 * 1024;
/** The fields of a line: https://www.kernel.org/doc/html/latest/networking/proc_net_tcp.html */
const line = /^ *\d+: [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]+:([0-9A-F]{4}) \S+ \S+ \S+ \S+ +(\d+) /gm;

/**
 * Whether another user's program has opened the connection, as Linux says it; other systems do not, so there it is false, as
 * for other computers. Root's programs are not others: root can do everything.
 */
export function isOfAnotherUser({
  remoteAddress = "",
  remotePort,
  localPort,
}: Pick<Socket, "remoteAddress" | "remotePort" | "localPort">): boolean {
  if (process.platform !== "linux" || !/^(?:::ffff:)?127\.|^::1$/.test(remoteAddress)) return false;
  const own = userInfo().uid;
  const tables = ["/proc/net/tcp", "/proc/net/tcp6"].map((path) => readStartIfThere(path, maxTableBytes)?.toString());
  const owners = [...tables.join("\n").matchAll(line)]
    .filter(([, from = "", to = ""]) => parseInt(from, 16) === remotePort && parseInt(to, 16) === localPort)
    .map(([, , , uid]) => Number(uid));
  // Who fills the tables until the line is cut off gains nothing.
  return owners.length === 0 || owners.some((uid) => uid !== own && uid !== rootUid);
}
