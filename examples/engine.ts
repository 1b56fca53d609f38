// A solver engine that fills single orders in constant-product pools. docs/solvers.md explains it.
//     PORT=7071 node examples/engine.ts
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

// the fields that it reads; amounts are decimal text
type Token = { referencePrice: string | null }
type Pool = { kind: string; id: string; gasEstimate: string; fee: string; tokens: Record<string, { balance: string }> }
type Order = {
  uid: string
  kind: 'sell' | 'buy'
  sellToken: string
  buyToken: string
  sellAmount: string
  buyAmount: string
}
type Auction = { tokens: Record<string, Token>; orders: Order[]; liquidity: Pool[]; effectiveGasPrice: string }

const settlementGas = 110_000n
const whole = 1_000_000n

/** What a pool pays for an amount, or takes for one; undefined beyond its reserves. */
const swap = ({ tokens, fee }: Pool, { kind, sellToken, buyToken }: Order, amount: bigint): bigint | undefined => {
  const [reserveIn, reserveOut] = [BigInt(tokens[sellToken]?.balance ?? 0), BigInt(tokens[buyToken]?.balance ?? 0)]
  const kept = whole - BigInt(Math.round(Number(fee) * Number(whole)))
  if (kind === 'sell') return (amount * kept * reserveOut) / (reserveIn * whole + amount * kept)
  if (amount >= reserveOut) return undefined
  return (reserveIn * amount * whole) / ((reserveOut - amount) * kept) + 1n
}

const solveOrder = ({ tokens, liquidity, effectiveGasPrice }: Auction, order: Order, id: number) => {
  const { uid, kind, sellToken, buyToken } = order
  const [sellAmount, buyAmount] = [BigInt(order.sellAmount), BigInt(order.buyAmount)]
  for (const pool of liquidity) {
    if (pool.kind !== 'constantProduct' || !pool.tokens[sellToken] || !pool.tokens[buyToken]) continue
    const gas = settlementGas + BigInt(pool.gasEstimate)
    const price = BigInt(tokens[sellToken]?.referencePrice ?? 0)
    // quotes have no prices, and no fee
    const fee = price === 0n ? 0n : (gas * BigInt(effectiveGasPrice) * 10n ** 18n) / price + 1n
    const exact = kind === 'sell' ? sellAmount - fee : buyAmount
    const other = exact > 0n ? swap(pool, order, exact) : undefined
    if (other === undefined) continue
    const [sold, bought] = kind === 'sell' ? [exact, other] : [other, exact]
    if (sold + fee > sellAmount || bought < buyAmount) continue
    const amounts = { inputAmount: `${sold}`, outputAmount: `${bought}` }
    const swapped = { kind: 'liquidity', internalize: false, id: pool.id, inputToken: sellToken, outputToken: buyToken }
    return [
      {
        id,
        prices: { [sellToken]: `${bought}`, [buyToken]: `${sold}` },
        trades: [{ kind: 'fulfillment', order: uid, executedAmount: `${exact}`, fee: `${fee}` }],
        interactions: [{ ...swapped, ...amounts }],
        gas: Number(gas),
      },
    ]
  }
  return []
}

createServer(async (request, response) => {
  response.setHeader('Content-Type', 'application/json')
  try {
    const body = JSON.parse(await text(request))
    if (request.url === '/notify') console.log(JSON.stringify(body))
    const orders: Order[] = request.url === '/solve' ? body.orders : []
    response.end(JSON.stringify({ solutions: orders.flatMap((order, id) => solveOrder(body, order, id)) }))
  } catch (error) {
    response.writeHead(400).end(JSON.stringify({ error: `${error}` }))
  }
}).listen(Number(process.env.PORT ?? 7071), '127.0.0.1')
