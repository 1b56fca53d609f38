// A solver engine written from the public interface alone: it imports nothing of this repository.
// https://github.com/cowprotocol/services/blob/main/crates/solvers/openapi.yml
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Address, type Hex, zeroHash } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

type Pool = { id: string; address: Address; fee: string } & (
  | { kind: 'constantProduct'; tokens: Record<Address, { balance: string }> }
  | { kind: 'concentratedLiquidity'; tokens: Address[]; sqrtPrice: string; liquidity: string }
)
type Order = {
  uid: Hex
  kind: 'sell' | 'buy'
  sellToken: Address
  buyToken: Address
  sellAmount: string
  buyAmount: string
}
type Auction = {
  id: string | null
  tokens: Record<Address, { referencePrice: string | null }>
  orders: Order[]
  liquidity: Pool[]
}

export type Notice = { auctionId: string | null; solutionId: number | null; kind: string; transaction?: Hex }

export type PublicEngine = { url: string; auctions: Auction[]; notices: Notice[]; stop: () => Promise<void> }

/** Settles with the account `maker`: just-in-time orders of its tokens fill sell orders of `jitPair`. */
export type EngineTerms = {
  maker: Hex
  chainId: number
  settlement: Address
  jitPair: readonly [Address, Address]
  /** orders that sell this token are left to others */
  ignored: Address
}

const q96 = 2n ** 96n
const parts = 1_000_000n
/** part of an amount that is left to pools, which move until the settlement */
const margin = 1_000n

/** What a pool pays for an amount, within the tick of its price. */
const computeOut = (pool: Pool, tokenIn: Address, tokenOut: Address, amountIn: bigint): bigint => {
  const kept = amountIn * (parts - BigInt(Math.round(Number(pool.fee) * Number(parts))))
  if (pool.kind === 'constantProduct') {
    const [reserveIn, reserveOut] = [
      BigInt(pool.tokens[tokenIn]?.balance ?? 0),
      BigInt(pool.tokens[tokenOut]?.balance ?? 0),
    ]
    return (kept * reserveOut) / (reserveIn * parts + kept)
  }
  const [price, liquidity, paid] = [BigInt(pool.sqrtPrice), BigInt(pool.liquidity), kept / parts]
  if (BigInt(tokenIn) < BigInt(tokenOut)) {
    const next = (liquidity * q96 * price) / (liquidity * q96 + paid * price) + 1n
    return (liquidity * (price - next)) / q96 - 1n
  }
  const next = price + (paid * q96) / liquidity - 1n
  return (liquidity * q96 * (next - price)) / (next * price) - 1n
}

/** The least that buys an amount; undefined when a pool cannot pay it for `most`. */
const computeIn = (pool: Pool, order: Order, amountOut: bigint, most: bigint): bigint | undefined => {
  let [low, high] = [0n, most]
  if (computeOut(pool, order.sellToken, order.buyToken, most) < amountOut) return undefined
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if (computeOut(pool, order.sellToken, order.buyToken, middle) >= amountOut) high = middle
    else low = middle
  }
  return high
}

const listPools = ({ liquidity }: Auction, { sellToken, buyToken }: Order): Pool[] =>
  liquidity.filter(({ tokens }) => {
    const members = Array.isArray(tokens) ? tokens : Object.keys(tokens)
    return [sellToken, buyToken].every((token) => members.includes(token))
  })

const solveInPool = (auction: Auction, order: Order, id: number) => {
  const { uid, kind, sellToken, buyToken } = order
  const [sellAmount, buyAmount] = [BigInt(order.sellAmount), BigInt(order.buyAmount)]
  const trades = listPools(auction, order).flatMap((pool) => {
    const least = kind === 'sell' ? sellAmount : computeIn(pool, order, buyAmount, sellAmount)
    const sold = kind === 'sell' ? sellAmount : least && least + least / margin
    const most = kind === 'sell' ? computeOut(pool, sellToken, buyToken, sellAmount) : buyAmount
    const bought = kind === 'sell' ? most - most / margin : buyAmount
    return sold !== undefined && sold <= sellAmount && bought >= buyAmount ? [{ pool, sold, bought }] : []
  })
  const [best] = trades.sort((a, b) => Number(b.bought - a.bought) || Number(a.sold - b.sold))
  if (!best) return []
  const { pool, sold, bought } = best
  return [
    {
      id,
      prices: { [sellToken]: `${bought}`, [buyToken]: `${sold}` },
      trades: [{ kind: 'fulfillment', order: uid, executedAmount: `${kind === 'sell' ? sold : bought}`, fee: '0' }],
      interactions: [
        {
          ...{ kind: 'liquidity', internalize: false, id: pool.id, inputToken: sellToken, outputToken: buyToken },
          ...{ inputAmount: `${sold}`, outputAmount: `${bought}` },
        },
      ],
      gas: 250_000,
    },
  ]
}

const orderType = [
  ...(['sellToken', 'buyToken', 'receiver'] as const).map((name) => ({ name, type: 'address' })),
  ...(['sellAmount', 'buyAmount'] as const).map((name) => ({ name, type: 'uint256' })),
  { name: 'validTo', type: 'uint32' },
  { name: 'appData', type: 'bytes32' },
  { name: 'feeAmount', type: 'uint256' },
  { name: 'kind', type: 'string' },
  { name: 'partiallyFillable', type: 'bool' },
  { name: 'sellTokenBalance', type: 'string' },
  { name: 'buyTokenBalance', type: 'string' },
]

/** Fills an order from the maker's own tokens, at the auction's prices. */
const solveJustInTime = async (terms: EngineTerms, { tokens }: Auction, order: Order, id: number) => {
  const account = privateKeyToAccount(terms.maker)
  const { uid, sellToken, buyToken } = order
  const sold = BigInt(order.sellAmount)
  const [sellPrice, buyPrice] = [sellToken, buyToken].map((token) => BigInt(tokens[token]?.referencePrice ?? 0))
  const bought = sellPrice && buyPrice ? (sold * sellPrice) / buyPrice : 0n
  if (bought < BigInt(order.buyAmount)) return []
  const jit = {
    ...{ sellToken: buyToken, buyToken: sellToken, receiver: account.address },
    ...{ sellAmount: bought, buyAmount: sold, validTo: Math.floor(Date.now() / 1000) + 600 },
    ...{ appData: zeroHash, kind: 'sell', partiallyFillable: false },
    ...{ sellTokenBalance: 'erc20', buyTokenBalance: 'erc20' },
  }
  const signature = await account.signTypedData({
    domain: { name: 'Gnosis Protocol', version: 'v2', chainId: terms.chainId, verifyingContract: terms.settlement },
    types: { Order: orderType },
    primaryType: 'Order',
    message: { ...jit, feeAmount: 0n },
  })
  return [
    {
      id,
      prices: { [sellToken]: `${bought}`, [buyToken]: `${sold}` },
      trades: [
        { kind: 'fulfillment', order: uid, executedAmount: `${sold}`, fee: '0' },
        {
          kind: 'jit',
          order: { ...jit, sellAmount: `${bought}`, buyAmount: `${sold}`, signingScheme: 'eip712', signature },
          executedAmount: `${bought}`,
        },
      ],
      interactions: [],
    },
  ]
}

export const startPublicEngine = async (terms: EngineTerms): Promise<PublicEngine> => {
  const auctions: Auction[] = []
  const notices: Notice[] = []
  const isJustInTime = ({ kind, sellToken, buyToken }: Order) =>
    kind === 'sell' && [sellToken, buyToken].join() === terms.jitPair.join()
  const solve = async (auction: Auction) => {
    const orders = auction.orders.filter(({ sellToken }) => auction.id === null || sellToken !== terms.ignored)
    const found = await Promise.all(
      orders.map((order, id) =>
        auction.id !== null && isJustInTime(order)
          ? solveJustInTime(terms, auction, order, id)
          : solveInPool(auction, order, id),
      ),
    )
    return { solutions: found.flat() }
  }
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request))
    if (request.url === '/notify') notices.push(body)
    if (request.url === '/solve' && body.id !== null) auctions.push(body)
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(request.url === '/solve' ? await solve(body) : {}))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    auctions,
    notices,
    stop: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
