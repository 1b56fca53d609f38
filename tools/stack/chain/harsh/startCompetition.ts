import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  maxUint256,
  numberToHex,
  parseAbi,
  parseEther,
  parseGwei,
  parseUnits,
} from 'viem'
import type { LocalChain } from '../connectLocalChain.ts'
import { devAccounts } from '../devAccounts.ts'
import type { PreparedChain } from '../prepareChain.ts'
import { sendFrom } from '../sendFrom.ts'
import { type Competitor, ordinaryTipGwei } from './harshOptions.ts'

/** The competing traders of a harsh chain, between two blocks. */
export type Competition = {
  /** Sends the swaps of the next block, whose base fee is given in wei. */
  trade: (baseFee: bigint) => Promise<void>
  /** transactions of all swaps so far */
  swaps: readonly Hex[]
}

type PoolToken = { address: Address; decimals: number }
/** wei per gas unit */
type Fees = { tip: bigint; cap: bigint }
/** Contracts and tokens of the local chain. */
export type MarketFacts = Pick<PreparedChain, 'contracts'> & { tokens: Record<string, PoolToken> }
type PoolSymbol = keyof PreparedChain['tokens']

/** Pools of the local chain: those of Uniswap V2, and those of V3 with their fees in 1/1,000,000. */
const pools: readonly { symbols: readonly [PoolSymbol, PoolSymbol]; fee?: number }[] = [
  { symbols: ['WETH', 'USDC'] },
  { symbols: ['USDC', 'DAI'] },
  { symbols: ['WETH', 'DAI'] },
  { symbols: ['WETH', 'COW'] },
  { symbols: ['COW', 'DAI'], fee: 3_000 },
  { symbols: ['WETH', 'COW'], fee: 10_000 },
]

/** US dollars for one whole token, at the first prices of the pools. */
const dollarsPerToken = { WETH: 3_000, USDC: 1, DAI: 1, COW: 0.3 }

/** Swaps cost at most this share more than expected: trades before them in the same block move the price. */
const slackBps = 100n
/** The local chain orders a block by fee caps: swaps with a high tip have the highest cap. */
const firstFeeCap = parseGwei('1000')
/** above the gas of every swap */
const gas = numberToHex(400_000)

const competitor: Address = '0x00000000000000000000000000000000c0113717'
const bystander: Address = '0x00000000000000000000000000000000b7574d32'

const factoryAbi = parseAbi(['function getPair(address, address) view returns (address)'])
const pairAbi = parseAbi([
  'function getReserves() view returns (uint112, uint112, uint32)',
  'function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes data)',
])
const routerAbi = parseAbi([
  'struct ExactInputSingle { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(ExactInputSingle params) payable returns (uint256 amountOut)',
])

/**
 * Funds the traders and returns what sends their swaps; needs automatic mining until it returns. Each swap sells one of
 * the two tokens of a pool, chosen by `random` in [0, 1), so that prices are a random walk unless a trader is
 * one-sided.
 */
export const startCompetition = async (
  chain: LocalChain,
  facts: MarketFacts,
  { competitors, random }: { competitors: readonly Competitor[]; random: () => number },
): Promise<Competition> => {
  await fund(chain, facts)
  const pairs = await Promise.all(
    pools.map(({ symbols: [a, b], fee }) => (fee ? undefined : findPair(chain, facts, a, b))),
  )
  const swaps: Hex[] = []
  // nonces follow the tips
  const ordered = competitors.toSorted((a, b) => b.tipGwei - a.tipGwei)
  const waiting = ordered.map(({ everyBlocks }) => drawBlocks(everyBlocks, random))

  // the account's transactions skip viem's own check of the chain id before each one
  const send = (from: Address, { tip, cap }: Fees, call: { to: Address; data?: Hex }): Promise<Hex> =>
    chain.request({
      method: 'eth_sendTransaction',
      params: [{ from, gas, maxPriorityFeePerGas: numberToHex(tip), maxFeePerGas: numberToHex(cap), ...call }],
    } as never)

  const swap = async (index: number, { dollars, isOneSided }: Competitor, fees: Fees) => {
    const { symbols, fee } = pools[index] as (typeof pools)[number]
    const isForward = random() < 0.5 || isOneSided
    const [symbolIn, symbolOut] = isForward ? symbols : ([symbols[1], symbols[0]] as const)
    const [tokenIn, tokenOut] = [findToken(facts, symbolIn), findToken(facts, symbolOut)]
    const sold = parseUnits((dollars / dollarsPerToken[symbolIn]).toFixed(6), tokenIn.decimals)
    const pair = pairs[index]
    if (!pair) {
      const params = { tokenIn: tokenIn.address, tokenOut: tokenOut.address, fee: fee ?? 0, recipient: competitor }
      const args = [{ ...params, amountIn: sold, amountOutMinimum: 0n, sqrtPriceLimitX96: 0n }] as const
      const data = encodeFunctionData({ abi: routerAbi, functionName: 'exactInputSingle', args })
      swaps.push(await send(competitor, fees, { to: facts.contracts.uniswapV3Router, data }))
      return
    }
    const isFirst = tokenIn.address < tokenOut.address
    const bought = await computeBought(chain, pair, isFirst, sold)
    const outs = isFirst ? ([0n, bought] as const) : ([bought, 0n] as const)
    const pay = { abi: erc20Abi, functionName: 'transfer', args: [pair, sold] } as const
    const take = { abi: pairAbi, functionName: 'swap', args: [...outs, competitor, '0x'] } as const
    await send(competitor, fees, { to: tokenIn.address, data: encodeFunctionData(pay) })
    swaps.push(await send(competitor, fees, { to: pair, data: encodeFunctionData(take) }))
  }

  return {
    swaps,
    trade: async (baseFee) => {
      await send(bystander, toFees(ordinaryTipGwei, baseFee), { to: bystander })
      // One after the other: the local chain gives transactions that arrive together the same nonce.
      for (const [i, trader] of ordered.entries()) {
        const { everyBlocks, tipGwei } = trader
        const left = (waiting[i] ?? 1) - 1
        waiting[i] = left > 0 ? left : drawBlocks(everyBlocks, random)
        if (left > 0) continue
        const fees = toFees(tipGwei, baseFee)
        for (const index of pools.keys()) await swap(index, trader, fees)
      }
    },
  }
}

const toFees = (tipGwei: number, baseFee: bigint): Fees => {
  const tip = parseGwei(String(tipGwei))
  return { tip, cap: tipGwei > ordinaryTipGwei ? firstFeeCap + tip : baseFee + tip }
}

const drawBlocks = ([least, most]: readonly [number, number], random: () => number): number =>
  least + Math.floor(random() * (most - least + 1))

/** Output of a sale to a V2 pool, less `slackBps`. */
const computeBought = async (chain: LocalChain, pair: Address, isFirst: boolean, sold: bigint): Promise<bigint> => {
  const [reserve0, reserve1] = await chain.readContract({ address: pair, abi: pairAbi, functionName: 'getReserves' })
  const [reserveIn, reserveOut] = isFirst ? [reserve0, reserve1] : [reserve1, reserve0]
  const paid = sold * 997n
  return (((paid * reserveOut) / (reserveIn * 1_000n + paid)) * (10_000n - slackBps)) / 10_000n
}

const findToken = ({ tokens }: MarketFacts, symbol: PoolSymbol): PoolToken => {
  const token = tokens[symbol]
  if (!token) throw new Error(`the local chain has no ${symbol}`)
  return token
}

const findPair = (chain: LocalChain, facts: MarketFacts, a: PoolSymbol, b: PoolSymbol): Promise<Address> =>
  chain.readContract({
    address: facts.contracts.uniswapV2Factory,
    abi: factoryAbi,
    functionName: 'getPair',
    args: [findToken(facts, a).address, findToken(facts, b).address],
  })

/** Gives the traders ether, and the competitor tokens of the provider of the pools. */
const fund = async (chain: LocalChain, facts: MarketFacts): Promise<void> => {
  for (const address of [competitor, bystander]) {
    await chain.impersonateAccount({ address })
    await chain.setBalance({ address, value: parseEther('10000') })
  }
  const approve = {
    abi: erc20Abi,
    functionName: 'approve',
    args: [facts.contracts.uniswapV3Router, maxUint256],
  } as const
  await sendFrom(chain, competitor, { to: findToken(facts, 'WETH').address, value: parseEther('1000') })
  for (const symbol of ['WETH', 'USDC', 'DAI', 'COW'] as const) {
    const token = findToken(facts, symbol)
    await sendFrom(chain, competitor, { to: token.address, data: encodeFunctionData(approve) })
    if (symbol === 'WETH') continue
    const amount = 10n ** BigInt(token.decimals + 6)
    const transfer = { abi: erc20Abi, functionName: 'transfer', args: [competitor, amount] } as const
    await sendFrom(chain, devAccounts[7].address, { to: token.address, data: encodeFunctionData(transfer) })
  }
}
