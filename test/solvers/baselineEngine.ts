// The baseline algorithm of the public engine, written from its public documents alone: it imports nothing of this repository.
// For each order it takes the best path over at most `maxHops` tokens between, all of them base tokens, with the best pool for each
// swap, and splits nothing. https://github.com/cowprotocol/services/blob/main/crates/solvers/openapi.yml
type Pool = { id: string; fee: string } & (
  | { kind: 'constantProduct'; tokens: Record<string, { balance: string }> }
  | {
      kind: 'concentratedLiquidity'
      tokens: readonly string[]
      sqrtPrice: string
      liquidity: string
      tick: number
      liquidityNet: Record<string, string>
    }
)
type Order = {
  uid: string
  kind: 'sell' | 'buy'
  sellToken: string
  buyToken: string
  sellAmount: string
  buyAmount: string
}
type Auction = { orders: readonly Order[]; liquidity: readonly Pool[] }
type Terms = { baseTokens: readonly string[]; maxHops: number }
type Swap = { pool: Pool; tokenIn: string; tokenOut: string; amountIn: bigint; amountOut: bigint }

const million = 1_000_000n
const q96 = 2n ** 96n
/** fractional bits of powers */
const precision = 256n

const ceil = (a: bigint, b: bigint) => (a + b - 1n) / b

const computeRoot = (square: bigint): bigint => {
  let root = 1n << BigInt(Math.ceil(square.toString(2).length / 2))
  for (;;) {
    const next = (root + square / root) / 2n
    if (next >= root) return root
    root = next
  }
}

const roots = new Map<number, bigint>()

/** √(1.0001^tick) · 2^96 */
const toSqrtPrice = (tick: number): bigint => {
  const known = roots.get(tick)
  if (known !== undefined) return known
  let [power, base, left] = [1n << precision, (10_001n << precision) / 10_000n, Math.abs(tick)]
  for (; left > 0; left >>= 1) {
    if (left & 1) power = (power * base) >> precision
    base = (base * base) >> precision
  }
  const ratio = tick < 0 ? (1n << (2n * precision)) / power : power
  const root = computeRoot(ratio << precision) >> (precision - 96n)
  roots.set(tick, root)
  return root
}

const toParts = (fee: string): bigint => BigInt(Math.round(Number(fee) * 1e6))

type Amounts = { amountIn: bigint; amountOut: bigint }

const tradeConstantProduct = (
  { tokens, fee }: Extract<Pool, { kind: 'constantProduct' }>,
  [tokenIn, tokenOut]: readonly [string, string],
  kind: 'sell' | 'buy',
  amount: bigint,
): Amounts | undefined => {
  const [reserveIn, reserveOut] = [tokenIn, tokenOut].map((token) => BigInt(tokens[token]?.balance ?? 0)) as [
    bigint,
    bigint,
  ]
  const kept = million - toParts(fee)
  if (reserveIn === 0n || reserveOut === 0n) return undefined
  if (kind === 'sell') {
    const amountOut = (amount * kept * reserveOut) / (reserveIn * million + amount * kept)
    return amountOut > 0n ? { amountIn: amount, amountOut } : undefined
  }
  if (amount >= reserveOut) return undefined
  return { amountIn: (reserveIn * amount * million) / ((reserveOut - amount) * kept) + 1n, amountOut: amount }
}

const tradeConcentrated = (
  pool: Extract<Pool, { kind: 'concentratedLiquidity' }>,
  [tokenIn, tokenOut]: readonly [string, string],
  kind: 'sell' | 'buy',
  amount: bigint,
): Amounts | undefined => {
  const isDown = BigInt(tokenIn) < BigInt(tokenOut)
  const ticks = Object.keys(pool.liquidityNet)
    .map(Number)
    .filter((tick) => (isDown ? tick <= pool.tick : tick > pool.tick))
    .sort((a, b) => (isDown ? b - a : a - b))
  const kept = million - toParts(pool.fee)
  let [price, liquidity, left] = [BigInt(pool.sqrtPrice), BigInt(pool.liquidity), amount]
  let [amountIn, amountOut] = [0n, 0n]
  // the last range has no end that is known
  for (const tick of [...ticks, undefined]) {
    const end = tick === undefined ? (isDown ? 2n ** 32n : 2n ** 160n) : toSqrtPrice(tick)
    const [low, high] = isDown ? [end, price] : [price, end]
    const across = (from: bigint, to: bigint) => ({
      token0: ceil(liquidity * q96 * (to - from), to * from),
      token1: ceil(liquidity * (to - from), q96),
    })
    const whole = across(low, high)
    const [mostIn, mostOut] = isDown ? [whole.token0, whole.token1] : [whole.token1, whole.token0]
    const paid = kind === 'sell' ? (left * kept) / million : 0n
    if (liquidity > 0n && (kind === 'sell' ? paid < mostIn : left < mostOut)) {
      const next = move(isDown, kind, price, liquidity, kind === 'sell' ? paid : left)
      const part = across(...((isDown ? [next, price] : [price, next]) as [bigint, bigint]))
      const [partIn, partOut] = isDown ? [part.token0, part.token1] : [part.token1, part.token0]
      amountIn += kind === 'sell' ? left : ceil(partIn * million, kept)
      amountOut += kind === 'sell' ? partOut - 1n : left
      return amountOut > 0n ? { amountIn, amountOut } : undefined
    }
    if (tick === undefined) return undefined
    const fullIn = ceil(mostIn * million, kept)
    amountIn += fullIn
    amountOut += mostOut
    left -= kind === 'sell' ? fullIn : mostOut
    price = end
    liquidity += (isDown ? -1n : 1n) * BigInt(pool.liquidityNet[tick] ?? 0)
  }
  return undefined
}

/** The price after an amount, within one range. */
const move = (isDown: boolean, kind: 'sell' | 'buy', price: bigint, liquidity: bigint, amount: bigint): bigint => {
  const shifted = liquidity * q96
  if (kind === 'sell')
    return isDown ? ceil(shifted * price, shifted + amount * price) : price + (amount * q96) / liquidity
  return isDown ? price - ceil(amount * q96, liquidity) : ceil(shifted * price, shifted - amount * price)
}

const findBestSwap = (
  pools: readonly Pool[],
  tokenIn: string,
  tokenOut: string,
  kind: 'sell' | 'buy',
  amount: bigint,
): Swap | undefined => {
  const swaps = pools.flatMap((pool): Swap[] => {
    const members = pool.kind === 'constantProduct' ? Object.keys(pool.tokens) : pool.tokens
    if (!members.includes(tokenIn) || !members.includes(tokenOut)) return []
    const traded =
      pool.kind === 'constantProduct'
        ? tradeConstantProduct(pool, [tokenIn, tokenOut], kind, amount)
        : tradeConcentrated(pool, [tokenIn, tokenOut], kind, amount)
    return traded ? [{ pool, tokenIn, tokenOut, ...traded }] : []
  })
  return swaps.reduce<Swap | undefined>((best, swap) => (best && !isBetter(kind, swap, best) ? best : swap), undefined)
}

const isBetter = (kind: 'sell' | 'buy', a: Amounts, b: Amounts): boolean =>
  kind === 'sell' ? a.amountOut > b.amountOut : a.amountIn < b.amountIn

const listPaths = ({ sellToken, buyToken }: Order, { baseTokens, maxHops }: Terms): string[][] => {
  let open = [[sellToken]]
  const paths: string[][] = []
  for (let hops = 0; hops <= maxHops; hops += 1) {
    paths.push(...open.map((path) => [...path, buyToken]))
    open = open.flatMap((path) =>
      baseTokens.filter((token) => token !== buyToken && !path.includes(token)).map((token) => [...path, token]),
    )
  }
  return paths
}

const findRoute = (order: Order, pools: readonly Pool[], terms: Terms): ({ swaps: Swap[] } & Amounts) | undefined => {
  const { kind } = order
  const exact = BigInt(kind === 'sell' ? order.sellAmount : order.buyAmount)
  const routes = listPaths(order, terms).flatMap((path) => {
    const pairs = path.slice(1).map((token, i) => [path[i] as string, token] as const)
    const swaps: Swap[] = []
    let carried = exact
    for (const [tokenIn, tokenOut] of kind === 'sell' ? pairs : pairs.reverse()) {
      const swap = findBestSwap(pools, tokenIn, tokenOut, kind, carried)
      if (!swap) return []
      swaps.push(swap)
      carried = kind === 'sell' ? swap.amountOut : swap.amountIn
    }
    if (kind === 'buy') swaps.reverse()
    return [{ swaps, amountIn: swaps[0]?.amountIn ?? 0n, amountOut: swaps.at(-1)?.amountOut ?? 0n }]
  })
  return routes.reduce<(typeof routes)[number] | undefined>(
    (best, route) => (best && !isBetter(kind, route, best) ? best : route),
    undefined,
  )
}

/** Responds to POST `solve`. */
export const solveAsBaseline = ({ orders, liquidity }: Auction, terms: Terms) => ({
  solutions: orders.flatMap((order, id) => {
    const route = findRoute(order, liquidity, terms)
    if (!route || route.amountIn > BigInt(order.sellAmount) || route.amountOut < BigInt(order.buyAmount)) return []
    const { swaps, amountIn, amountOut } = route
    return [
      {
        id,
        prices: { [order.sellToken]: `${amountOut}`, [order.buyToken]: `${amountIn}` },
        trades: [
          {
            ...{ kind: 'fulfillment', order: order.uid, fee: '0' },
            executedAmount: `${order.kind === 'sell' ? amountIn : amountOut}`,
          },
        ],
        interactions: swaps.map((swap) => ({
          ...{ kind: 'liquidity', internalize: false, id: swap.pool.id },
          ...{ inputToken: swap.tokenIn, outputToken: swap.tokenOut },
          ...{ inputAmount: `${swap.amountIn}`, outputAmount: `${swap.amountOut}` },
        })),
        gas: 100_000 + 100_000 * swaps.length,
      },
    ]
  }),
})
