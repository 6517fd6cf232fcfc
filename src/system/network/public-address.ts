// Which addresses are public: a URL that a browser sent must not lead into the person's own network.
import type { LookupAddress, LookupOptions } from "node:dns";
import { isIP } from "node:net";

/** https://www.iana.org/assignments/iana-ipv4-special-registry, as far as the addresses are not public; multicast, too. */
const privateIpv4 = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const;
/** https://www.iana.org/assignments/iana-ipv6-special-registry; 6to4, which carries any IPv4 address, is among them. */
const privateIpv6 = [
  ["::", 127],
  ["64:ff9b:1::", 48],
  ["100::", 64],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
] as const;

/** Most processes read no such address, so the list is made for each. */
function privateAddresses() {
  const { BlockList } = process.getBuiltinModule("node:net");
  const list = new BlockList();
  for (const [net, prefix] of privateIpv4) {
    // An IPv4 address that is mapped into IPv6 is found by this as well.
    list.addSubnet(net, prefix, "ipv4");
    // A network without IPv4 reaches it by this prefix: https://www.rfc-editor.org/rfc/rfc6052#section-2.1
    list.addSubnet(`64:ff9b::${net}`, 96 + prefix, "ipv6");
  }
  for (const [net, prefix] of privateIpv6) list.addSubnet(net, prefix, "ipv6");
  return list;
}

export const privateAddressProblem = "leads to a private address";

/** False for a name, which only a look-up can tell. */
export function isPrivateAddress(host: string): boolean {
  const version = isIP(host);
  return version !== 0 && privateAddresses().check(host, version === 6 ? "ipv6" : "ipv4");
}

export class PrivateAddressError extends Error {}

/** Looks a name up as Node does, and refuses it if any of its addresses is private. */
export function lookUpPublic(
  hostname: string,
  options: LookupOptions,
  callback: (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void,
): void {
  const { lookup } = process.getBuiltinModule("node:dns");
  lookup(hostname, options, (error, found, family) => {
    const addresses = typeof found === "string" ? [found] : (found ?? []).map(({ address }) => address);
    if (error === null && addresses.some(isPrivateAddress)) callback(new PrivateAddressError(), found, family);
    else callback(error, found, family);
  });
}
