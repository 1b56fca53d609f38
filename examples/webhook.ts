// Receives a message for each filled order of the account, and verifies that the service sent it. docs/notifications.md
//     PORT=7080 node examples/webhook.ts                 # TARGET=https://… is the public URL of this server
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { account, network, request } from './client.ts'

const { PORT = '7080', TARGET = `http://127.0.0.1:${PORT}` } = process.env
let secret: string | undefined

/** By the standard of Standard Webhooks: HMAC-SHA-256 of id, time and body. */
const isGenuine = (headers: NodeJS.Dict<string | string[]>, body: string): boolean => {
  if (!secret) return false
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const expected = Buffer.from(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
  const actual = Buffer.from(String(headers['webhook-signature']))
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

createServer(async (incoming, response) => {
  const body = await text(incoming)
  const { type, data } = JSON.parse(body)
  // sent before the subscription exists: the response proves that this server wants the messages
  if (type === 'subscription.challenge') return response.end(JSON.stringify({ challenge: data.challenge }))
  if (!isGenuine(incoming.headers, body)) return response.writeHead(401).end()
  response.end()
  console.log(type, data.metadata.orderUid)
}).listen(Number(PORT))

const { typedData } = await request('/notifications/channels')
const { chainId } = network
const stamp = {
  nonce: `0x${randomBytes(32).toString('hex')}`,
  deadline: Math.floor(Date.now() / 1_000) + 600,
}
const terms = { channel: 'webhook', target: TARGET, types: ['order_filled'], networks: [chainId], ...stamp }
const signature = await account.signTypedData({
  domain: { ...typedData.domain, chainId },
  types: typedData.types,
  primaryType: 'Subscribe',
  message: { account: account.address, ...terms },
})
const subscription = await request(`/accounts/${account.address}/subscriptions`, { ...terms, chainId, signature })
secret = subscription.secret
console.log('subscribed', subscription.id)
