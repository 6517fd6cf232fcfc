// Describes connection failures without quoting addresses or credentials.
import { codeOf } from "../../model/errors.ts";

const untrusted = "its certificate is not trusted; for an authority of your own set NODE_EXTRA_CA_CERTS";

const causes: Record<string, string> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was reset",
  EPIPE: "the connection was closed",
  ENOTFOUND: "no host has this name",
  EAI_AGAIN: "the name could not be looked up",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  ETIMEDOUT: "the host did not answer",
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_HAS_EXPIRED: "its certificate has expired",
  CERT_NOT_YET_VALID: "its certificate is not valid yet; is this machine's clock right?",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host",
  UND_ERR_SOCKET: "the connection was closed",
  UND_ERR_CONNECT_TIMEOUT: "the host did not answer",
  UND_ERR_DESTROYED: "the host did not answer",
  EPROTO: "it does not speak TLS as expected",
};

export function describeProxyRefusal(status: number): string {
  return status === 407
    ? "the proxy wants a user name and password, as in http://USER:PASSWORD@HOST:PORT"
    : `the proxy refused with status ${status}`;
}

/** The libraries' texts may contain credentials. */
export function describeConnectionError(error: unknown): string {
  const code = codeOf(error) ?? codeOf(error instanceof Error ? error.cause : undefined);
  if (code === undefined) return "the connection failed";
  return (
    causes[code] ??
    (code.startsWith("ERR_SSL_") ? "it does not speak TLS as expected" : `the connection failed (${code})`)
  );
}
