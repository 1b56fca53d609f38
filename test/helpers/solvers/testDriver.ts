import type { RequestListener } from 'node:http'
import type { Address, Hex } from 'viem'
import {
  type NotifyRequest,
  proposedSolutionSchema,
  type SettleRequest,
  type SolveRequestBody,
  type SolveResponseBody,
} from '#shared/solvers/driverApi.ts'
import { encodeFromBuffers } from './encodeFromBuffers.ts'
import { answering, quotingAt, type RunningSolver, startSolver } from './startSolver.ts'

type AuctionOrder = SolveRequestBody['orders'][number]

export type DriverBehaviour = {
  name: string
  address: Address
  /** buy and sell amounts of an order; undefined omits the order */
  execute: (order: AuctionOrder) => { sell: bigint; buy: bigint } | undefined
  /** response to POST solve instead of one solution per order */
  solve?: (request: SolveRequestBody) => SolveResponseBody
  /** calldata of POST reveal; default: pays the promised amounts from the settlement contract's own tokens */
  reveal?: (request: { auctionId: string; solutionId: number }) => Hex
  /** response to POST settle; default: success */
  settle?: (request: SettleRequest) => Promise<void> | void
  /** wei per 10¹⁸ atoms of the quoted tokens */
  values?: Record<Address, bigint>
}

export type TestDriver = RunningSolver & {
  solved: SolveRequestBody[]
  settled: SettleRequest[]
  notified: NotifyRequest[]
}

/** A driver over HTTP that proposes one solution per order. A throwing `settle` is returned as `FailedToSubmit`. */
export const startTestDriver = async (behaviour: DriverBehaviour): Promise<TestDriver> => {
  const solved: SolveRequestBody[] = []
  const settled: SettleRequest[] = []
  const notified: NotifyRequest[] = []
  const proposed = new Map<string, Hex>()
  const listener: RequestListener = async (request, response) => {
    if (request.method === 'GET') return quotingAt(behaviour.values ?? {})(request, response)
    const chunks = await request.toArray().catch(() => undefined)
    // the caller gave up
    if (!chunks) return
    const text = Buffer.concat(chunks).toString()
    const body = JSON.parse(text)
    if (request.url === '/solve') {
      solved.push(body)
      const { solutions } = behaviour.solve?.(body) ?? propose(behaviour, body)
      for (const solution of solutions) {
        const { data } = proposedSolutionSchema.safeParse(solution)
        const calldata = data && encodeFromBuffers(body, data.orders)
        if (calldata) proposed.set(`${body.id}:${solution.solutionId}`, calldata)
      }
      return answering({ solutions })(request, response)
    }
    if (request.url === '/reveal') {
      const calldata = behaviour.reveal?.(body) ?? proposed.get(`${body.auctionId}:${body.solutionId}`)
      if (!calldata) return answering({ kind: 'SolutionNotAvailable', description: 'unknown' }, 400)(request, response)
      return answering({ calldata: { internalized: calldata, uninternalized: calldata } })(request, response)
    }
    if (request.url === '/notify') {
      notified.push(body)
      return answering('')(request, response)
    }
    settled.push(body)
    try {
      await behaviour.settle?.(body)
      answering('')(request, response)
    } catch (error) {
      answering({ kind: 'FailedToSubmit', description: (error as Error).message }, 400)(request, response)
    }
  }
  return { ...(await startSolver(behaviour.name, listener, { address: behaviour.address })), solved, settled, notified }
}

const propose = ({ address, execute }: DriverBehaviour, { orders }: SolveRequestBody): SolveResponseBody => ({
  solutions: orders.flatMap((order, solutionId) => {
    const executed = execute(order)
    if (!executed) return []
    const { uid, kind: side, sellToken, buyToken, sellAmount: limitSell, buyAmount: limitBuy } = order
    const [executedSell, executedBuy] = [executed.sell.toString(), executed.buy.toString()]
    const execution = { side, sellToken, buyToken, limitSell, limitBuy, executedSell, executedBuy }
    return [{ solutionId, submissionAddress: address, score: '0', orders: { [uid]: execution } }]
  }),
})
