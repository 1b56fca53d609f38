import type { Hex } from 'viem'
import type { StackInfo } from '#tools/stack/stackInfo.ts'
import { subscribe } from './subscribe.ts'

/** Subscribes an account through a webhook of the stack's own receiver, which verifies signatures from then on. */
export const subscribeToSinks = async (stack: StackInfo, privateKey: Hex, name: string): Promise<void> => {
  const webhook = `${stack.sinksUrl}/webhooks/${name}`
  const { secret } = await subscribe(stack, privateKey, { channel: 'webhook', target: webhook })
  if (!secret) return
  const response = await fetch(`${webhook}/secret`, { method: 'PUT', body: JSON.stringify({ secret }) })
  if (!response.ok) throw new Error(`PUT ${webhook}/secret: ${response.status} ${await response.text()}`)
}
