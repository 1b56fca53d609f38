import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { StackInfo } from '#tools/stack/stackInfo.ts'
import { signCancellations } from '../orders/signCancellation.ts'
import { patienceMs } from '../patienceMs.ts'

export type OrderBook = {
  get: <Answer>(path: string) => Promise<Answer>
  /** Posts the body of POST orders; resolves with the UID. */
  post: (body: object) => Promise<string>
  /** Cancels an order with a signature of its owner. */
  cancel: (uid: string, privateKey: Hex) => Promise<void>
  /** Resolves with the order once it matches; a service that is unavailable meanwhile is asked again. @throws Error with the order after `patienceMs` */
  waitFor: (uid: string, is: (order: Record<string, string>) => boolean) => Promise<Record<string, string>>
}

/** Client of a running stack's order book, without any SDK. */
export const connectOrderBook = ({ baseUrl, network, chainId }: StackInfo): OrderBook => {
  const base = `${baseUrl}/${network}/api/v1`
  const read = async (path: string) => {
    const response = await fetch(path.startsWith('/v2') ? `${base.slice(0, -3)}${path}` : base + path)
    return { status: response.status, body: await response.text() }
  }
  const get = async <Answer>(path: string): Promise<Answer> => {
    const { status, body } = await read(path)
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${body}`)
    return JSON.parse(body) as Answer
  }
  return {
    get,
    post: async (body) => {
      const headers = { 'Content-Type': 'application/json' }
      const response = await fetch(`${base}/orders`, { method: 'POST', headers, body: JSON.stringify(body) })
      const answer = await response.json()
      if (response.status !== 201) throw new Error(`POST orders: ${response.status} ${JSON.stringify(answer)}`)
      return answer as string
    },
    cancel: async (uid, privateKey) => {
      const headers = { 'Content-Type': 'application/json' }
      const body = JSON.stringify(
        await signCancellations([uid as Hex], 'eip712', privateKeyToAccount(privateKey), chainId),
      )
      const response = await fetch(`${base}/orders`, { method: 'DELETE', headers, body })
      if (!response.ok) throw new Error(`DELETE orders: ${response.status} ${await response.text()}`)
    },
    waitFor: async (uid, is) => {
      const until = Date.now() + patienceMs
      for (;;) {
        const { status, body } = await read(`/orders/${uid}`)
        if (status === 200) {
          const order = JSON.parse(body) as Record<string, string>
          if (is(order)) return order
        } else if (status !== 503) throw new Error(`GET order ${uid}: ${status} ${body}`)
        if (Date.now() > until) throw new Error(`the order did not match in time: ${status} ${body}`)
        await sleep(250)
      }
    },
  }
}
