// Gives providers' errors the names that Claude Code uses and rules are written with.
const words: Readonly<Partial<Record<string, string>>> = Object.assign(Object.create(null), {
  authentication_error: "authentication_failed",
  permission_error: "authentication_failed",
  ProviderAuthError: "authentication_failed",
  rate_limit_error: "rate_limit",
  rate_limit_exceeded: "rate_limit",
  overloaded_error: "overloaded",
  api_error: "server_error",
  invalid_request_error: "invalid_request",
  MessageAbortedError: "interrupted",
  MessageOutputLengthError: "max_output_tokens",
});

/** The HTTP status decides where there is one. */
export function errorReason(word: string | undefined, httpStatus?: unknown): string | undefined {
  if (httpStatus === 401 || httpStatus === 403) return "authentication_failed";
  if (httpStatus === 429) return "rate_limit";
  if (typeof httpStatus === "number" && httpStatus >= 500) return "server_error";
  return word === undefined ? undefined : (words[word] ?? word);
}
