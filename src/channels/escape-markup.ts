const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** For text between tags of HTML or of a vendor's small part of it; not for attributes. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>]/g, (character) => entities[character] ?? "");
}
