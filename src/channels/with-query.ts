/** The URL with these parameters set; what is no URL stays as it is, and the sender says so. */
export function withQuery(url: string, parameters: Readonly<Record<string, string | undefined>>): string {
  if (!URL.canParse(url)) return url;
  const made = new URL(url);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) made.searchParams.set(name, value);
  }
  return made.href;
}
