import { html } from 'hono/html'
import type { SinkMessage } from './createMailbox.ts'

const shown = 200
const refreshSeconds = 2
const style = `body{font:0.95rem/1.5 system-ui,sans-serif;margin:2rem auto;max-width:75rem;padding:0 1rem}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.4rem .6rem;border-bottom:1px solid #8884}
td:last-child{white-space:pre-wrap;overflow-wrap:anywhere}.to{overflow-wrap:anywhere;max-width:16rem}`

/** Received messages, newest first, as a page that reloads automatically. All content is untrusted. */
export const renderMailbox = (messages: readonly SinkMessage[]) => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="refresh" content="${refreshSeconds}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Delivered notifications</title>
<style>${style}</style>
</head>
<body>
<h1>Delivered notifications</h1>
<p>${messages.length === 0 ? 'Nothing yet.' : `${messages.length} messages, newest first.`}</p>
<table>
<thead><tr><th>Time</th><th>Channel</th><th>To</th><th>Message</th></tr></thead>
<tbody>${messages.slice(-shown).toReversed().map(renderRow)}</tbody>
</table>
</body>
</html>
`

const renderRow = ({ receivedAt, channel, verified, to, title, text }: SinkMessage) => html`
<tr>
<td>${receivedAt.slice(11, 19)}</td>
<td>${channel}${verified ? ', signature verified' : ''}</td>
<td class="to">${to}</td>
<td>${title && html`<b>${title}</b>\n`}${splitLinks(text).map((part) =>
  part.startsWith('http') ? html`<a href="${part}" rel="noreferrer">${part}</a>` : part,
)}</td>
</tr>`

/** Links and the text between them. */
const splitLinks = (text: string): string[] => text.split(/(https?:\/\/[^\s<>"']+)/)
