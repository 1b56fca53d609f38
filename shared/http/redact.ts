/** What no log may have: each pattern and what stands in its place. */
const secrets: readonly (readonly [RegExp, string])[] = [
  // keys of providers are in paths and queries, passwords of databases before the host
  [/\b([a-z][a-z0-9+.-]{1,15}):\/\/[^\s"'<>]+/gi, '$1://…'],
  // 65 bytes are a signature; an order's UID, 56, says nothing that is not public
  [/(0x|\\x)?[0-9a-f]{130,}/gi, '…'],
  [/[^\s"'<>@(]+@[^\s"'<>@)]+/g, '…@…'],
]

/** A text without URLs, signatures and e-mail addresses. Errors come from libraries and other people's servers. */
export const redact = (text: string): string =>
  secrets.reduce((rest, [pattern, placeholder]) => rest.replaceAll(pattern, placeholder), text)
