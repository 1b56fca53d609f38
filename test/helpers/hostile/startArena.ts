import type { Address } from 'viem'
import { startBadNode } from '#tools/stack/chain/badNode.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { findPort } from '#tools/stack/processes/findPort.ts'
import { createTrader } from '../orders/createTrader.ts'
import { type DriverBehaviour, startTestDriver } from '../solvers/testDriver.ts'
import { startTestStack } from '../stack/testStack.ts'
import type { Arena } from './arena.ts'

const driverAddresses = { lying: devAccounts[5].address, silent: devAccounts[6].address } as const
/** more than any transaction of an actor needs */
const gas = 3_000_000n

/**
 * A stack whose Workers reach the chain through nodes that an actor may disturb, with two foreign solvers that do nothing
 * until an actor takes them over, and an honest trader with every token.
 * @param log receives the lines of the Workers
 */
export const startArena = async (
  seed: number,
  log: (line: string) => void,
): Promise<{ arena: Arena; counts: Map<string, number>; close: () => Promise<void> }> => {
  const rpcPort = await findPort(0, 'RPC_PORT')
  const rpcUrl = `http://127.0.0.1:${rpcPort}`
  const nodes = { orderBook: await startBadNode(rpcUrl), solvers: await startBadNode(rpcUrl) }
  const behaviours: Arena['drivers'] = { lying: idle('lying'), silent: idle('silent') }
  const drivers = await Promise.all(Object.values(behaviours).map(startTestDriver))
  const ofBook = { RPC_URL: nodes.orderBook.url }
  const stack = await startTestStack({
    // blocks come as often as on this network: solvers look at the chain once for each block
    networks: ['base'],
    rpcPort,
    log,
    extraSolvers: drivers.map(({ solver: { name, address, baseUrl } }) => ({ name, address, url: baseUrl })),
    vars: {
      ...{ quotes: ofBook, orders: ofBook, debug: ofBook, status: ofBook },
      // on a busy machine the own solvers are slow, and the foreign ones would win whatever they claim
      auctions: { ...ofBook, SOLVE_TIME_MS: '10000' },
      solver: { RPC_URL: nodes.solvers.url },
    },
  })
  const { chain, info } = stack
  const counts = new Map<string, number>()
  const arena: Arena = {
    stack,
    seed,
    nodes,
    drivers: behaviours,
    honest: await createTrader(stack),
    beforePost: [],
    outages: [],
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
  return {
    arena,
    counts,
    close: async () => {
      await Promise.all(drivers.map(({ stop }) => stop()))
      await stack.stop()
      for (const node of Object.values(nodes)) node.close()
    },
  }
}

const idle = (name: keyof Arena['drivers']): DriverBehaviour => ({
  name,
  address: driverAddresses[name] as Address,
  execute: () => undefined,
})
