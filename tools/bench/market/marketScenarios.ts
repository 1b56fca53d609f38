import { parseUnits } from 'viem'
import type { Competitor } from '../../stack/chain/harsh/harshOptions.ts'
import type { StackInfo } from '../../stack/stackInfo.ts'
import type { Sale } from './createOrderPlacer.ts'

/** Orders that are placed on a chain beside other traders. */
export type MarketScenario = {
  name: string
  orders: number
  /** the orders take their pairs in turn */
  pairs: readonly Pair[]
  /** one order after each block, or all at once */
  pace: 'block' | 'burst'
  /** undefined: a block for each transaction, and no other trader */
  competitors: readonly Competitor[] | undefined
}

type TokenSymbol = 'WETH' | 'USDC' | 'DAI' | 'COW'
type Pair = readonly [sell: TokenSymbol, buy: TokenSymbol]

const slippageBps = 100
/** about $300 of each token, in whole tokens */
const amounts: Readonly<Record<TokenSymbol, string>> = { WETH: '0.1', USDC: '300', DAI: '300', COW: '1000' }

const onePair = [['WETH', 'USDC']] as const
export const tenPairs = [
  ['WETH', 'USDC'],
  ['USDC', 'WETH'],
  ['WETH', 'DAI'],
  ['DAI', 'WETH'],
  ['WETH', 'COW'],
  ['COW', 'WETH'],
  ['USDC', 'DAI'],
  ['DAI', 'USDC'],
  ['COW', 'DAI'],
  ['COW', 'USDC'],
] as const

/** Sale of about $300 with a slack of 1 %; the index makes its amount differ from the others. */
export const toSale = ({ tokens }: StackInfo, [sell, buy]: Pair, index: number): Sale => {
  const [sold, bought] = [tokens[sell], tokens[buy]]
  if (!sold || !bought) throw new Error(`the local chain has no ${sell} or no ${buy}`)
  const sellAmount = parseUnits(amounts[sell], sold.decimals) + BigInt(index)
  return { sellToken: sold.address, buyToken: bought.address, sellAmount, slippageBps }
}

const small: Competitor = { dollars: 3, everyBlocks: [1, 1], tipGwei: 3, isOneSided: true }
const large: Competitor = { dollars: 30, everyBlocks: [2, 3], tipGwei: 3, isOneSided: true }

/** @param orders of one pair, and five times as many of ten pairs */
export const listMarketScenarios = (orders: number): MarketScenario[] => {
  const series = { orders, pairs: onePair, pace: 'block' } as const
  const burst = { orders: 5 * orders, pairs: tenPairs, pace: 'burst' } as const
  return [
    { name: 'a block for each transaction', ...series, pace: 'burst', competitors: undefined },
    { name: 'no other trader', ...series, competitors: [] },
    { name: 'a $30 swap every second or third block', ...series, competitors: [large] },
    { name: 'a $3 swap in each block', ...series, competitors: [small] },
    { name: 'burst over ten pairs, no other trader', ...burst, competitors: [] },
    { name: 'burst over ten pairs, $3 and $30 swaps', ...burst, competitors: [small, large] },
  ]
}
