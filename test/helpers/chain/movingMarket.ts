import { type Address, encodeFunctionData, erc20Abi, type Hex, parseAbi } from 'viem'
import type { LocalChain } from '#tools/stack/chain/connectLocalChain.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import type { StackInfo } from '#tools/stack/stackInfo.ts'

/** A chain whose blocks come when the test says, each with another base fee and other pool prices. */
export type MovingMarket = {
  /** sends the trades of the next block and sets its base fee, then mines it; transactions of solvers come first in it */
  mine: () => Promise<void>
  /** mines a block with another base fee and no trade */
  mineEmpty: () => Promise<void>
  /** share of its trades that succeeded, 0 to 1 */
  findSuccess: () => Promise<number>
}

const factoryAbi = parseAbi(['function getPair(address, address) view returns (address)'])
const pairAbi = parseAbi([
  'function getReserves() view returns (uint112, uint112, uint32)',
  'function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes data)',
])

/** Pools that are traded, with the standard deviation of their price from one block to the next, basis points. */
const pools = [
  ['WETH', 'USDC', 8],
  ['WETH', 'DAI', 8],
  ['WETH', 'COW', 12],
  ['USDC', 'DAI', 1],
] as const

const gwei = 10 ** 9
/** the base fee stays between these, wei: a settlement costs about half a dollar to two dollars */
const baseFees = { first: gwei, least: gwei / 4, most: 4 * gwei }
/** EIP-1559: from an empty block to a full one */
const maxFeeStep = 1 / 8

/**
 * Ends automatic mining. Base fees are a random walk of EIP-1559 steps; prices of pools are random walks by swaps of an
 * account that holds the supply of the tokens.
 * @param random in [0, 1)
 */
export const startMovingMarket = async (
  chain: LocalChain,
  { tokens, contracts }: Pick<StackInfo, 'tokens' | 'contracts'>,
  random: () => number,
): Promise<MovingMarket> => {
  const mover = devAccounts[7].address
  const factory = contracts.uniswapV2Factory
  const findPair = (args: [Address, Address]) =>
    chain.readContract({ address: factory, abi: factoryAbi, functionName: 'getPair', args })
  const moved = await Promise.all(
    pools.map(async ([symbolA, symbolB, deviation]) => {
      const [a, b] = [tokens[symbolA]?.address, tokens[symbolB]?.address] as [Address, Address]
      return { a, b, deviation, pair: await findPair([a, b]) }
    }),
  )
  await chain.setAutomine(false)
  await chain.setIntervalMining({ interval: 0 })
  let baseFee = baseFees.first
  let feeCap = baseFee
  const trades: Hex[] = []
  const send = (to: Address, data: Hex) =>
    chain.sendTransaction({
      account: mover,
      to,
      data,
      gas: 300_000n,
      maxPriorityFeePerGas: 0n,
      // the local chain sorts by fee caps: settlements have a higher one, and come first in a block
      maxFeePerGas: BigInt(Math.round(feeCap)),
    })

  const movePrice = async ({ a, b, pair }: (typeof moved)[number], bps: number) => {
    const [reserve0, reserve1] = await chain.readContract({ address: pair, abi: pairAbi, functionName: 'getReserves' })
    const isSale = bps > 0
    const [tokenIn, tokenOut] = isSale ? [a, b] : [b, a]
    const [reserveIn, reserveOut] = tokenIn < tokenOut ? [reserve0, reserve1] : [reserve1, reserve0]
    // the price moves by twice the share of the reserve that comes in
    const amountIn = (reserveIn * BigInt(Math.round(Math.abs(bps) * 100))) / 2_000_000n
    if (amountIn === 0n) return
    const paid = amountIn * 997n
    // a permille less than the pool pays, as trades of solvers may come before it
    const amountOut = (((paid * reserveOut) / (reserveIn * 1_000n + paid)) * 9_990n) / 10_000n
    const amounts = tokenOut < tokenIn ? ([amountOut, 0n] as const) : ([0n, amountOut] as const)
    await send(tokenIn, encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [pair, amountIn] }))
    const swap = { abi: pairAbi, functionName: 'swap', args: [...amounts, mover, '0x'] } as const
    trades.push(await send(pair, encodeFunctionData(swap)))
  }

  const moveBaseFee = () => {
    const step = 1 + (random() * 2 - 1) * maxFeeStep
    const before = baseFee
    baseFee = Math.min(Math.max(baseFee * step, baseFees.least), baseFees.most)
    feeCap = 1.2 * Math.max(before, baseFee)
  }
  const mineBlock = async () => {
    await chain.setNextBlockBaseFeePerGas({ baseFeePerGas: BigInt(Math.round(baseFee)) })
    await chain.mine({ blocks: 1 })
  }

  return {
    mine: async () => {
      moveBaseFee()
      for (const pool of moved) await movePrice(pool, computeNormal(random) * pool.deviation)
      await mineBlock()
    },
    mineEmpty: async () => {
      moveBaseFee()
      await mineBlock()
    },
    findSuccess: async () => {
      const receipts = await Promise.all(trades.map((hash) => chain.getTransactionReceipt({ hash })))
      return receipts.filter(({ status }) => status === 'success').length / receipts.length
    },
  }
}

/** A number of the standard normal distribution (Box-Muller). */
const computeNormal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
