/**
 * Patterns that must not reach the log, each with its placeholder. Texts are untrusted and up to megabytes long, so a match
 * starts only at the beginning of a word: trying every position of a long word takes quadratic time.
 */
const secrets: readonly (readonly [RegExp, string])[] = [
  // URLs: providers put API keys into path and query, databases put the password before the host
  [/\b([a-z][a-z0-9+.-]{1,15}):\/\/[^\s"'<>]+/gi, '$1://…'],
  // signatures, 65 bytes; order UIDs, 56 bytes, are public
  [/(?<![0-9a-f])(0x|\\x)?[0-9a-f]{130,}/gi, '…'],
  [/(?<![^\s"'<>@()])[^\s"'<>@()]+@[^\s"'<>@)]+/g, '…@…'],
]

/** Removes URLs, signatures and e-mail addresses. Error texts come from libraries and third-party servers. */
export const redact = (text: string): string =>
  secrets.reduce((rest, [pattern, placeholder]) => rest.replaceAll(pattern, placeholder), text)
