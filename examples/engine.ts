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
  partiallyFillable: boolean
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
  const pools = liquidity.filter(
    (pool) => pool.kind === 'constantProduct' && pool.tokens[sellToken] && pool.tokens[buyToken],
  )
  for (const pool of pools) {
    const gas = settlementGas + BigInt(pool.gasEstimate)
    const price = BigInt(tokens[sellToken]?.referencePrice ?? 0)
    // quotes have no prices, and no fee
    const fee = price === 0n ? 0n : (gas * BigInt(effectiveGasPrice) * 10n ** 18n) / price + 1n
    // a partially fillable order is tried whole, then in halves
    for (let part = 1n; part <= (order.partiallyFillable ? 64n : 1n); part *= 2n) {
      const [sellAmount, buyAmount] = [BigInt(order.sellAmount) / part, BigInt(order.buyAmount) / part]
      const exact = kind === 'sell' ? sellAmount - fee : buyAmount
      const other = exact > 0n ? swap(pool, order, exact) : undefined
      if (other === undefined) continue
      const [sold, bought] = kind === 'sell' ? [exact, other] : [other, exact]
      // one atom above the limit, because the part is rounded
      if (sold + fee > sellAmount || bought <= buyAmount + (kind === 'sell' && part > 1n ? 1n : -1n)) continue
      const amounts = { inputAmount: `${sold}`, outputAmount: `${bought}` }
      return [
        {
          id,
          prices: { [sellToken]: `${bought}`, [buyToken]: `${sold}` },
          trades: [{ kind: 'fulfillment', order: uid, executedAmount: `${exact}`, fee: `${fee}` }],
          interactions: [
            {
              kind: 'liquidity',
              internalize: false,
              id: pool.id,
              inputToken: sellToken,
              outputToken: buyToken,
              ...amounts,
            },
          ],
          gas: Number(gas),
        },
      ]
    }
  }
  return []
}

createServer(async (request, response) => {
  const body = JSON.parse((await text(request)) || '{}')
  if (request.url === '/notify') console.log(JSON.stringify(body))
  const solutions =
    request.url === '/solve' ? body.orders.flatMap((order: Order, id: number) => solveOrder(body, order, id)) : []
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ solutions }))
}).listen(Number(process.env.PORT ?? 7071), '127.0.0.1')
