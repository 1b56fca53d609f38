// Receives alerts (docs/operations.md, "Alerts"), checks their signatures, and forwards each one once as a chat message.
//     ALERT_WEBHOOK_SECRET=whsec_… CHAT_URL=https://chat.example/hook node examples/alertReceiver.ts 8080
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

const { ALERT_WEBHOOK_SECRET = '', CHAT_URL = '' } = process.env
const key = Buffer.from(ALERT_WEBHOOK_SECRET.replace(/^whsec_/, ''), 'base64')
const maxAgeSeconds = 300
/** ids of forwarded alerts: a retry is forwarded once */
const forwarded = new Set<string>()

const isSigned = (id: string, timestamp: string, body: string, header: string): boolean => {
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) < maxAgeSeconds)) return false
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest()
  return header.split(' ').some((one) => {
    const signature = Buffer.from(one.replace(/^v1,/, ''), 'base64')
    return signature.length === expected.length && timingSafeEqual(signature, expected)
  })
}

createServer(async (request, response) => {
  const body = await text(request)
  const read = (name: string) => String(request.headers[name] ?? '')
  const id = read('webhook-id')
  if (!isSigned(id, read('webhook-timestamp'), body, read('webhook-signature'))) return response.writeHead(401).end()
  if (forwarded.has(id)) return response.writeHead(204).end()
  const { type, data } = JSON.parse(body) as { type: string; data: { network: string; text: string } }
  const sent = await fetch(CHAT_URL, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ text: `${type} on ${data.network}: ${data.text}` }),
  }).catch(() => undefined)
  // another status than 2xx is retried
  if (!sent?.ok) return response.writeHead(502).end()
  forwarded.add(id)
  return response.writeHead(204).end()
}).listen(Number(process.argv[2] ?? 8080))
