/**
 * Policy of every page: same origin only, nothing inline, no framing. Scripts of wallet extensions run in an isolated
 * world and are not affected (docs/decisions/console.md).
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "manifest-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Of the console's pages: the application of Safes may frame them, and shows each transaction before it is signed. */
export const consolePolicy = contentSecurityPolicy.replace(
  "frame-ancestors 'none'",
  'frame-ancestors https://app.safe.global',
)
