import { setTimeout as sleep } from 'node:timers/promises'
import { type Interference, NodeRefusal, type RpcCall } from '#tools/stack/chain/badNode.ts'
import type { CreateActor } from '../arena.ts'

const refuse = (answer: NodeRefusal['answer']) => (): never => {
  throw new NodeRefusal(answer)
}
const retrySoon = { 'Retry-After': '1' }

/** A node that is one block behind when the newest block is read. */
const lag: Interference = async (call, forward) => {
  const head = async () => Number(await forward({ method: 'eth_blockNumber', params: [] }))
  const behind = async () => `0x${((await head()) - 1).toString(16)}`
  if (call.method === 'eth_blockNumber') return behind()
  if (call.method !== 'eth_getBlockByNumber' || call.params[0] !== 'latest') return forward()
  return forward({ ...call, params: [await behind(), ...call.params.slice(1)] } satisfies RpcCall)
}

/** A node of the order book, of the solvers or of both fails for a few seconds. */
export const failingNode: CreateActor = (arena, dice) => {
  const faults: Record<string, Interference> = {
    unavailable: refuse({ status: 503 }),
    overloaded: refuse({ status: 502, headers: retrySoon }),
    limited: refuse({ status: 429, headers: retrySoon }),
    cut: refuse({ isCut: true }),
    // longer than any call waits
    silent: async (_, forward) => {
      await sleep(7_000)
      return forward()
    },
    slow: async (_, forward) => {
      await sleep(dice.between(100, 900))
      return forward()
    },
    flaky: (_, forward) => (dice.chance(0.3) ? refuse({ status: 500 })() : forward()),
    lag,
  }
  const { orderBook, solvers } = arena.nodes
  const heal = () => {
    for (const node of [orderBook, solvers]) node.interfere()
  }
  return {
    name: 'failing node',
    pauseMs: [14_000, 24_000],
    act: async () => {
      const fault = dice.pick(Object.keys(faults))
      const first = await arena.findHead()
      for (const node of dice.pick([[orderBook], [solvers], [orderBook, solvers]])) node.interfere(faults[fault])
      arena.count(`node ${fault}`)
      await sleep(dice.between(1_000, 3_000))
      heal()
      arena.outages.push({ first, last: await arena.findHead() })
    },
    stop: heal,
  }
}
