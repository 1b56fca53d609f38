import { createTrader } from '../orders/createTrader.ts'
import { startTestStack } from '../stack/testStack.ts'
import type { Arena } from './arena.ts'

/** more than any transaction of an actor needs */
const gas = 3_000_000n

/**
 * A stack with an honest trader who has every token.
 * @param log receives the lines of the Workers
 */
export const startArena = async (
  seed: number,
  log: (line: string) => void,
): Promise<{ arena: Arena; counts: Map<string, number>; close: () => Promise<void> }> => {
  const stack = await startTestStack({
    // blocks come as often as on this network: solvers look at the chain once for each block
    networks: ['base'],
    log,
    // on a busy machine the solvers are slow
    vars: { auctions: { SOLVE_TIME_MS: '10000' } },
  })
  const { chain, info } = stack
  const counts = new Map<string, number>()
  const arena: Arena = {
    stack,
    seed,
    honest: await createTrader(stack),
    beforePost: [],
    token: (symbol) => {
      const token = info.tokens[symbol]
      if (!token) throw new Error(`no token ${symbol}`)
      return token.address
    },
    request: async (method, path, body) => {
      const url = `${info.baseUrl}/${info.network}/api/v1/${path}`
      const init = body === undefined ? {} : { body: JSON.stringify(body) }
      const headers = { 'Content-Type': 'application/json' }
      const response = await fetch(url, { method, headers, ...init })
      return { status: response.status, body: await response.json() }
    },
    send: async (from, to, data, value = 0n) => {
      await chain.sendTransaction({ account: from, to, data, value, gas })
    },
    findHead: async () => Number(await chain.getBlockNumber()),
    count: (what) => counts.set(what, (counts.get(what) ?? 0) + 1),
  }
  return { arena, counts, close: stack.stop }
}
