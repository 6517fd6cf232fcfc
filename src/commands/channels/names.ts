/** What a channel is called where the person has no name for it: its type, with a number behind it if need be. */
export function defaultName(type: string, taken: readonly string[] = []): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? type : `${type}-${number}`;
    if (!taken.includes(name)) return name;
  }
}

/** The file of a secret, beside the rules: `team.url`. */
export function secretFileName(channel: string, key: string): string {
  const plain = channel.replaceAll(/[^A-Za-z0-9_-]+/g, "-");
  return `${plain}.${key}`;
}
