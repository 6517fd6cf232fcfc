// Describes connection failures without quoting addresses or credentials.
import { codeOf } from "../../model/errors.ts";

const untrusted = "its certificate is not trusted; for an authority of your own set NODE_EXTRA_CA_CERTS";

const causes: Record<string, string> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was reset",
  EPIPE: "the connection was closed",
  UND_ERR_SOCKET: "the connection was closed",
  ENOTFOUND: "no host has this name",
  EAI_AGAIN: "the name could not be looked up",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  ETIMEDOUT: "the host did not answer",
  UND_ERR_CONNECT_TIMEOUT: "the host did not answer",
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_HAS_EXPIRED: "its certificate has expired",
  CERT_NOT_YET_VALID: "its certificate is not valid yet; is this machine's clock right?",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host",
  EPROTO: "it does not speak TLS as expected",
};

/** undici reports a proxy's refusal only in its message. */
function proxyStatusOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return /^Proxy response \((\d{3})\)|^Proxy Authentication Required \((407)\)/
    .exec(error.message)
    ?.find((part) => /^\d+$/.test(part));
}

/** Whether a proxy refused the request, so that it never reached its receiver. */
export function isProxyRefusal(error: unknown): boolean {
  return proxyStatusOf(error) !== undefined;
}

/** The libraries' own texts may contain paths, addresses and credentials. */
export function describeConnectionError(error: unknown): string {
  const proxyStatus = proxyStatusOf(error);
  if (proxyStatus === "407") return "the proxy wants a user name and password, as in http://USER:PASSWORD@HOST:PORT";
  if (proxyStatus !== undefined) return `the proxy refused with status ${proxyStatus}`;
  const code = codeOf(error) ?? codeOf(error instanceof Error ? error.cause : undefined);
  if (code === undefined) return "the connection failed";
  return (
    causes[code] ??
    (code.startsWith("ERR_SSL_") ? "it does not speak TLS as expected" : `the connection failed (${code})`)
  );
}
