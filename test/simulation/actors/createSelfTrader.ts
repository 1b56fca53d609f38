import { encodeFunctionData } from 'viem'
import { minOf } from '#shared/amounts/minMax.ts'
import { poolAbi } from '../chain/contracts/poolCode.ts'
import { toBalanceKey } from '../chain/contracts/tokenCode.ts'
import type { Block } from '../chain/createChain.ts'
import { type ModelToken, modelTokens, network, pools } from '../market.ts'
import type { Participant, SimulatedAccount, World } from '../world.ts'
import { fundTrader } from './createMarketTrader.ts'
import { submitOrder } from './requests/submitOrder.ts'

/**
 * Trades with oneself: a printed token is sold to, or bought from, the pool of its maker, one printed token is traded for
 * another, or two accounts of one owner trade honest tokens with each other.
 */
const forms = ['sells', 'buys', 'twins', 'matched'] as const

/** Liquidity of the trader's own pools, below the ether that proves a price, wei and atoms */
const [poolWei, poolAtoms] = [5n * 10n ** 17n, 10n ** 24n]

/** Earns, if anything counts for what it trades with itself: rewards, statistics, a rank. */
export const createSelfTrader = (world: World, name: string): Participant => {
  const dice = world.dice(name)
  const form = dice.pick(forms)
  const { WETH, USDC, OWN, TWIN } = modelTokens
  const traded = [WETH, USDC, OWN, TWIN]
  const first = fundTrader(world, name, traded)
  const second = fundTrader(world, `${name} again`, traded)

  const findPool = (token: ModelToken) =>
    pools.find(({ tokens }) => tokens.includes(WETH.address) && tokens.includes(token.address))
  const fillPool = (token: ModelToken): void => {
    const pool = findPool(token)
    if (!pool) return
    world.give(WETH.address, pool.address, poolWei)
    world.give(token.address, pool.address, poolAtoms)
    world.transact(first.address, pool.address, encodeFunctionData({ abi: poolAbi, functionName: 'sync' }))
  }
  const trade = (account: SimulatedAccount, sell: ModelToken, buy: ModelToken, amounts: [bigint, bigint]) => {
    const [sellAmount, buyAmount] = amounts
    const validTo = Math.floor(world.now() / 1_000) + 12 * network.blockTimeSeconds
    return submitOrder(world, account, {
      ...{ sellToken: sell.address, buyToken: buy.address, sellAmount, buyAmount, validTo },
    })
  }
  const play = async (block: Block): Promise<void> => {
    const units = BigInt(dice.between(1, 20))
    if (form === 'sells') await trade(first, OWN, WETH, [units * 10n ** 22n, 10n ** 12n])
    // purchases leave their ether in the pool, and more of it would prove a price
    const pool = findPool(OWN)
    const isThin = pool && world.chain.store.get(toBalanceKey(WETH.address, pool.address)) < 10n ** 18n
    if (form === 'buys' && isThin) await trade(first, WETH, OWN, [minOf(units, 5n) * 10n ** 17n, 10n ** 12n])
    if (form === 'twins') await trade(first, OWN, TWIN, [units * 10n ** 22n, 10n ** 12n])
    if (form !== 'matched') return
    // 3,000 dollars an ether, as at the beginning
    const [wei, dollars] = [units * 10n ** 17n, units * 300n * 10n ** 6n]
    await trade(first, WETH, USDC, [wei, (dollars * 97n) / 100n])
    await trade(second, USDC, WETH, [dollars, (wei * 97n) / 100n])
    world.log('traded with itself', { block: block.number, wei })
  }

  return {
    name,
    act: async (block) => {
      if (block.number === 1 && form !== 'matched') for (const token of [OWN, TWIN]) fillPool(token)
      if (block.number > 2 && dice.chance(0.2)) await play(block)
    },
  }
}
