import type { Context } from 'hono'
import { html } from 'hono/html'
import { cachePolicies } from '#shared/http/cachePolicies.ts'

export type LinkPage = {
  title: string
  text: string
  /** label of a button that posts to the page's own URL; undefined: no button */
  button?: string
}

const style = `body{font:1.1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 1rem}
button{font:inherit;padding:.5rem 1.5rem}`
const nonceBytes = 18

/** Whether the client is a browser. */
export const isBrowser = (c: Context): boolean => /\btext\/html\b/.test(c.req.header('Accept') ?? '')

/**
 * Renders a page with a title, a line and an optional button. It loads nothing, runs no script, forbids framing, and sends no
 * referrer, because its URL contains a secret.
 */
export const renderPage = ({ title, text, button }: LinkPage): { body: string; headers: Record<string, string> } => {
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(nonceBytes))).toString('base64')
  const body = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style nonce="${nonce}">${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${text}</p>
${button ? html`<form method="post"><button>${button}</button></form>` : ''}
</main>
</body>
</html>
`
  return {
    body: body.toString(),
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `default-src 'none'; style-src 'nonce-${nonce}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'X-Robots-Tag': 'noindex',
      'Cache-Control': cachePolicies.noStore,
    },
  }
}
