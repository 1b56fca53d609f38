import { randomBytes } from 'node:crypto'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { StackInfo } from '#tools/stack/stackInfo.ts'

/** Target of notifications, as the API takes it. */
export type Subscribing =
  | { channel: 'webhook' | 'email'; target: string }
  | { channel: 'telegram' }
  | { channel: 'push'; target: { endpoint: string; keys: { p256dh: string; auth: string } } }

export type Subscribed = {
  id: string
  confirmed: boolean
  /** of a new webhook */
  secret?: string
  /** of a Telegram chat that is not linked yet */
  link?: string
  reason?: string
}

const signedForSeconds = 600
const types = {
  Subscribe: [
    { name: 'account', type: 'address' },
    { name: 'channel', type: 'string' },
    { name: 'target', type: 'string' },
    { name: 'types', type: 'string[]' },
    { name: 'networks', type: 'uint256[]' },
    { name: 'nonce', type: 'bytes32' },
    { name: 'deadline', type: 'uint256' },
  ],
  ManageSubscriptions: [
    { name: 'account', type: 'address' },
    { name: 'action', type: 'string' },
    { name: 'subscription', type: 'string' },
    { name: 'nonce', type: 'bytes32' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

/** Subscribes an account to all events of its orders, with the signed message. */
export const subscribe = async (stack: StackInfo, privateKey: Hex, wanted: Subscribing): Promise<Subscribed> => {
  const account = privateKeyToAccount(privateKey)
  const { nonce, deadline } = limitUse()
  const target = wanted.channel === 'telegram' ? '' : wanted.target
  const message = {
    account: account.address,
    channel: wanted.channel,
    target: typeof target === 'string' ? target : target.endpoint,
    types: [],
    networks: [],
    nonce,
    deadline: BigInt(deadline),
  }
  const signature = await account.signTypedData({ domain: domainOf(stack), types, primaryType: 'Subscribe', message })
  const body = { channel: wanted.channel, target, chainId: stack.chainId, nonce, deadline, signature }
  return send(`${stack.baseUrl}/accounts/${account.address}/subscriptions`, {
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
}

/** Sends a test to a subscription at once. */
export const requestTestMessage = async (
  stack: StackInfo,
  privateKey: Hex,
  subscription: string,
): Promise<{ outcome: string; reason?: string }> => {
  const account = privateKeyToAccount(privateKey)
  const { nonce, deadline } = limitUse()
  const message = { account: account.address, action: 'test', subscription, nonce, deadline: BigInt(deadline) }
  const domain = domainOf(stack)
  const signature = await account.signTypedData({ domain, types, primaryType: 'ManageSubscriptions', message })
  const authorization = `EIP712 chainId=${stack.chainId}, nonce=${nonce}, deadline=${deadline}, signature=${signature}`
  return send(`${stack.baseUrl}/accounts/${account.address}/subscriptions/${subscription}/test`, {
    headers: { Authorization: authorization },
  })
}

const domainOf = ({ chainId }: StackInfo) => ({ name: 'edgebook notifications', version: '1', chainId })

const limitUse = () => ({
  nonce: `0x${randomBytes(32).toString('hex')}` as const,
  deadline: Math.floor(Date.now() / 1_000) + signedForSeconds,
})

const send = async <Answer>(url: string, init: RequestInit): Promise<Answer> => {
  const response = await fetch(url, { method: 'POST', ...init })
  const text = await response.text()
  if (!response.ok) throw new Error(`POST ${url}: ${response.status} ${text}`)
  return JSON.parse(text) as Answer
}
