// Tells a machine-made secret from a word, a number, a path or a placeholder.
const placeholder = /^(?:[$<{[*%#@!]|(.)\1*$|your|example|change|dummy|placeholder|redacted)/i;
const path = /^(?:[A-Za-z]:|~|\.{1,2})?[\\/][\w.@+ -]+(?:[\\/][\w.@+ -]*)*$|^(?:https?|file):/;
const member = /^[A-Za-z_$][\w$]*(?:(?:\.|->|::|\?\.)[A-Za-z_$][\w$]*)+$/;
const name = /^[A-Za-z_$]+\d{0,2}$/;
const wordOrNumber = /^(?:[A-Za-z]?[a-z]*|[A-Z]+|[a-zA-Z]?\d{0,8})$/;
/** Such as `Uint8Array`. */
const typeName = /^[A-Z][a-z]{1,20}\d{1,3}(?:[A-Z][a-z]{1,20}){1,3}$/;
const maxNameLength = 500;

export function isPlaceholder(text: string): boolean {
  return placeholder.test(text) || path.test(text);
}

export function isRandomLooking(text: string, leastLength: number): boolean {
  if (text.length < leastLength || /\s/.test(text)) return false;
  if (text.length > maxNameLength) return true;
  // Words of another script, such as a form's "必须填写".
  if (isPlaceholder(text) || (/[^ -~]/.test(text) && !/[A-Za-z\d]/.test(text))) return false;
  // `process.env.TOKEN_2`, but not `a81f.77Gh`.
  if (member.test(text) && text.split(/[^\w$]+/).every((part) => name.test(part))) return false;
  // `claude-3-opus`, `v1.2.3`, `2026-11-21`.
  if (text.split(/[-_.:/]/).every((part) => wordOrNumber.test(part))) return false;
  if (typeName.test(text)) return false;
  return /\d/.test(text) || /[^\w.:/-]/.test(text) || (text.length >= 20 && /[a-z][A-Z].*[a-z][A-Z]/.test(text));
}
