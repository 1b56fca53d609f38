import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from 'viem'
import type { StackInfo } from '#tools/stack/stackInfo.ts'
import { patienceMs } from '../patienceMs.ts'
import { type SignableOrder, signOrder } from './signOrder.ts'

/**
 * Signs an order and posts it until it is stored: a lost response is retried, and the same order posted twice is one
 * order.
 * @returns the UID
 */
export const postSignedOrder = async (stack: StackInfo, privateKey: Hex, terms: SignableOrder): Promise<string> => {
  const body = JSON.stringify(await signOrder(stack, privateKey, terms))
  const url = `${stack.baseUrl}/${stack.network}/api/v1/orders`
  const headers = { 'Content-Type': 'application/json' }
  const deadline = Date.now() + patienceMs
  for (let last = ''; Date.now() < deadline; await sleep(200)) {
    const signal = AbortSignal.timeout(10_000)
    const response = await fetch(url, { method: 'POST', headers, body, signal }).catch((error: unknown) => {
      last = String(error)
    })
    if (!response) continue
    const answer = (await response.json().catch(() => '')) as string & { errorType?: string; data: { uid: string } }
    if (response.status === 201) return answer
    if (answer?.errorType === 'DuplicatedOrder') return answer.data.uid
    last = `${response.status} ${JSON.stringify(answer)}`
    if (response.status < 500) throw new Error(last)
  }
  throw new Error('the order was not accepted')
}
