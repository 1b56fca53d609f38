import type { Context } from 'hono'
import { html } from 'hono/html'
import { cachePolicies } from '#shared/http/cachePolicies.ts'

export type LinkPage = {
  title: string
  text: string
  /** label of a button that posts to the page's own URL; undefined: no button */
  button?: string
}

/** In the look of the console, whose colours and sizes are in tokens.css. */
const style = `*{box-sizing:border-box}
body{margin:0;background:var(--surface);color:var(--text);font:var(--t-m)/1.5 var(--sans)}
header{display:flex;align-items:center;height:var(--header);padding:0 var(--s-5)}
header a{display:inline-flex;align-items:center;color:inherit;font-weight:650;gap:var(--s-2);text-decoration:none}
main{max-width:var(--narrow);margin:10vh auto;padding:var(--s-6);border:1px solid var(--line);border-radius:var(--r-l);background:var(--panel);overflow-wrap:anywhere}
h1{margin:0 0 var(--s-2);font-size:var(--t-xl);letter-spacing:-.02em;line-height:1.25}
p{margin:0 0 var(--s-4);color:var(--muted)}
p:last-child{margin:0}
button{min-height:2.75rem;padding:0 var(--s-5);border:0;border-radius:var(--r-s);background:var(--accent-strong);color:var(--on-accent);cursor:pointer;font:inherit;font-weight:550}
@media(max-width:36rem){main{margin:var(--s-4)}}`
const nonceBytes = 18

/** Whether the client is a browser. */
export const isBrowser = (c: Context): boolean => /\btext\/html\b/.test(c.req.header('Accept') ?? '')

/**
 * Renders a page with a title, a line and an optional button. It loads the console's icon and colours, runs no script,
 * forbids framing, and sends no referrer, because its URL contains a secret.
 */
export const renderPage = ({ title, text, button }: LinkPage): { body: string; headers: Record<string, string> } => {
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(nonceBytes))).toString('base64')
  const body = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · edgebook</title>
<link rel="icon" href="/icon.svg">
<link rel="stylesheet" href="/docs/tokens.css">
<style nonce="${nonce}">${style}</style>
</head>
<body>
<header><a href="/"><img src="/icon.svg" alt="" width="28" height="28">edgebook</a></header>
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
      'Content-Security-Policy': `default-src 'none'; style-src 'self' 'nonce-${nonce}'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'X-Robots-Tag': 'noindex',
      'Cache-Control': cachePolicies.noStore,
    },
  }
}
