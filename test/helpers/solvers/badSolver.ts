import { createServer } from 'node:http'
import { listenLocally } from '#tools/stack/listenLocally.ts'

/** A driver with one kind of misbehaviour for every request. */
export type BadSolver = {
  url: string
  /** requested paths, in order */
  asked: string[]
  close: () => void
}

export type Misbehaviour = 'garbage' | 'huge' | 'late' | 'never' | 'lies'

/** Starts a misbehaving driver on a free loopback port. */
export const startBadSolver = async (misbehaviour: Misbehaviour): Promise<BadSolver> => {
  const asked: string[] = []
  const server = createServer(async (request, response) => {
    asked.push(new URL(request.url ?? '/', 'http://solver').pathname)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (misbehaviour === 'never') return
    const wait = misbehaviour === 'late' ? 30_000 : 0
    setTimeout(() => {
      response.setHeader('Content-Type', 'application/json')
      if (misbehaviour === 'huge') {
        response.write('"')
        const block = 'x'.repeat(1024 * 1024)
        const pump = setInterval(() => response.write(block), 1)
        response.on('close', () => clearInterval(pump))
        return
      }
      response.end(misbehaviour === 'lies' ? buildLie(Buffer.concat(chunks).toString()) : '<html>502 Bad Gateway')
    }, wait).unref()
  })
  return { ...(await listenLocally(server)), asked }
}

/** Claims an unused address, and a thousand times the limit for every order of the auction. */
const buildLie = (body: string): string => {
  const auction = (body ? JSON.parse(body) : { orders: [] }) as { orders?: Record<string, string>[] }
  const orders = Object.fromEntries(
    (auction.orders ?? []).map((order) => [
      order.uid,
      {
        side: order.kind,
        sellToken: order.sellToken,
        buyToken: order.buyToken,
        limitSell: order.sellAmount,
        limitBuy: order.buyAmount,
        executedSell: order.sellAmount,
        executedBuy: (BigInt(order.buyAmount ?? 0) * 1000n).toString(),
      },
    ]),
  )
  return JSON.stringify({
    solutions: [{ solutionId: 1, submissionAddress: `0x${'11'.repeat(20)}`, score: '1', orders }],
  })
}
