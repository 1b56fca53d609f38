import { gte } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import { parseAbi, parseUnits } from 'viem'
import { connectDatabase } from '#schema/client.ts'
import { insertPriceSamples } from '#schema/queries/markets/priceSamples.ts'
import { priceSamples } from '#schema/tables/markets/priceSamples.ts'
import { type NetworkName, networks } from '#shared/networks.ts'
import { sampleStepSeconds } from '#shared/slippage/computeVolatility.ts'
import { connectTrader, type Trader } from '#tools/demo/connectTrader.ts'
import { postSwap, waitForStatus } from '#tools/demo/swap.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import type { LocalChain } from '../stack/chain/connectLocalChain.ts'
import { startCompetition } from '../stack/chain/harsh/startCompetition.ts'
import { createRandom } from '../stack/createRandom.ts'

export const daySeconds = 86_400

/** A trade of an order in so many steps. */
const stepsOfTrade = 9
/** US dollars of a swap on each pool, in each step and in some */
const competitors = [
  { dollars: 900, everyBlocks: [1, 1], tipGwei: 3 },
  { dollars: 2_500, everyBlocks: [2, 6], tipGwei: 2 },
] as const

const trades = [
  { sell: 'WETH', buy: 'USDC', amount: '0.42' },
  { sell: 'USDC', buy: 'WETH', amount: '3300' },
  { sell: 'USDC', buy: 'WETH', amount: '950' },
  { sell: 'WETH', buy: 'DAI', amount: '0.8' },
  { sell: 'WETH', buy: 'USDC', amount: '1.1' },
  { sell: 'USDC', buy: 'WETH', amount: '2400' },
  { sell: 'COW', buy: 'WETH', amount: '9000' },
  { sell: 'WETH', buy: 'USDC', amount: '0.25' },
  { sell: 'DAI', buy: 'USDC', amount: '1500' },
] as const

/**
 * Lets a chain that is a day behind live this day, in minutes: others swap on its pools in each step of the price samples, orders of
 * two accounts are settled by the solvers, and the prices of the pools are sampled at the time of each block. Then the chain has the
 * time of this machine.
 */
export const makePastDay = async ({ chain, info }: Stack): Promise<void> => {
  const network = networks[info.network as NetworkName]
  const begun = new Date(Math.floor(Date.now() / 1_000 / sampleStepSeconds) * sampleStepSeconds * 1_000)
  const database = connectDatabase(info.databaseUrl)
  for (const account of [0, 1]) {
    const trader = connect(info, account)
    for (const { address } of Object.values(info.tokens)) await trader.approveRelayer(address)
  }
  const competition = await startCompetition(chain, info, { competitors, random: createRandom(7) })
  const findPrices = await connectPools(chain, info)
  await chain.setIntervalMining({ interval: 0 })
  for (let step = 0; ; step += 1) {
    const { timestamp, baseFeePerGas } = await chain.getBlock()
    const left = Math.floor(Date.now() / 1_000) - Number(timestamp)
    await chain.increaseTime({ seconds: Math.max(Math.min(left, sampleStepSeconds), 0) })
    await chain.setAutomine(false)
    await competition.trade(((baseFeePerGas ?? 0n) * 9n) / 8n + 1n)
    await chain.mine({ blocks: 1 })
    await chain.setAutomine(true)
    const isNow = left < sampleStepSeconds
    // what the service sampled meanwhile are prices of earlier blocks
    if (isNow) await database.delete(priceSamples).where(gte(priceSamples.sampledAt, begun))
    const mined = await chain.getBlock()
    await insertPriceSamples(database, network, await findPrices(), Number(mined.timestamp))
    if (isNow) break
    if (step % stepsOfTrade === 0) await trade(info, step / stepsOfTrade)
  }
  await chain.setIntervalMining({ interval: 2 })
}

/** The SDK signs for the account that was connected last. */
const connect = (info: Stack['info'], account: number): Trader =>
  connectTrader(info, info.accounts[account]?.privateKey as Hex)

/** One of four is of the first account, whose fills the picture shows. */
const trade = async (info: Stack['info'], index: number): Promise<void> => {
  const { tokens } = info
  const { sell, buy, amount } = trades[index % trades.length] ?? trades[0]
  const [sellToken, buyToken] = [tokens[sell], tokens[buy]]
  if (!sellToken || !buyToken) throw new Error(`the stack has no ${sell} or ${buy}`)
  const trader = connect(info, index % 4 === 1 ? 0 : 1)
  const terms = { sellToken, buyToken, amount: parseUnits(amount, sellToken.decimals) }
  await waitForStatus(trader, await postSwap(trader, { kind: 'sell', ...terms }), 'fulfilled')
}

const factoryAbi = parseAbi(['function getPair(address, address) view returns (address)'])
const pairAbi = parseAbi(['function getReserves() view returns (uint112, uint112, uint32)'])

/** What a pool leaves of a sale: solvers' prices of tokens contain it, that of ether is 1. */
const afterFee = 0.997

/** Dollar prices at the newest block as the service has them: ratios of what the pools with WETH pay for the tokens. */
const connectPools = async (chain: LocalChain, { contracts, tokens }: Stack['info']) => {
  const find = (symbol: string) => {
    const token = tokens[symbol]
    if (!token) throw new Error(`the stack has no token ${symbol}`)
    return token
  }
  const toPool = async (one: string, other: string) => {
    const [a, b] = [find(one), find(other)]
    const address = await chain.readContract({
      address: contracts.uniswapV2Factory,
      abi: factoryAbi,
      functionName: 'getPair',
      args: [a.address, b.address],
    })
    /** of a whole token `one` in whole tokens `other` */
    return async (): Promise<number> => {
      const [first, second] = await chain.readContract({ address, abi: pairAbi, functionName: 'getReserves' })
      const [ofA, ofB] = a.address.toLowerCase() < b.address.toLowerCase() ? [first, second] : [second, first]
      return (Number(ofB) / Number(ofA)) * 10 ** (a.decimals - b.decimals)
    }
  }
  const [ether, dai, cow] = await Promise.all([toPool('WETH', 'USDC'), toPool('DAI', 'WETH'), toPool('COW', 'WETH')])
  return async (): Promise<{ token: Address; price: number }[]> => {
    const [dollars, ofDai, ofCow] = await Promise.all([ether(), dai(), cow()])
    return [
      { token: find('WETH').address, price: dollars / afterFee },
      { token: find('USDC').address, price: 1 },
      { token: find('DAI').address, price: ofDai * dollars },
      { token: find('COW').address, price: ofCow * dollars },
    ]
  }
}
