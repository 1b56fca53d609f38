/**
 * Of every page: everything from here, nothing inline, no frame around it. What a wallet's extension does, it does in a world of
 * its own (docs/decisions.md).
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')
