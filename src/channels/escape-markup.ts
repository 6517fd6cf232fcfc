const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** For text between tags of HTML or of a vendor's small part of it; not for attributes. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>]/g, (character) => entities[character] ?? "");
}

/** The same with quotes, which readers take that know all of HTML or of XML. */
export function escapeMarkupAndQuotes(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? "");
}
