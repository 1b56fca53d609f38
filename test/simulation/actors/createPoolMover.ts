import { type Address, encodeFunctionData } from 'viem'
import { computeSwapOutput, poolAbi, toReserveKey } from '../chain/contracts/poolCode.ts'
import { tokenAbi } from '../chain/contracts/tokenCode.ts'
import { honestTokens, type ModelPool, pools, thinPool, toAddress } from '../market.ts'
import { isFillable } from '../oracle/isFillable.ts'
import type { Participant, World } from '../world.ts'

/** name of the actor */
export const poolMover = 'pool mover'

export const poolMoverAddress = toAddress(poolMover)

/** of an order: together shorter than the twelve blocks after which a solver yields it */
const movesPerOrder = 3
/** after its turn, which comes up to six seconds after a block */
const actMs = 5_500
/** part of a pool's reserve that it sells, 1/1000 */
const soldThousandths = 100n
/** first in a block and last in it: above and below each solver */
const [first, last] = [{ tip: 10n ** 11n }, { tip: 1n }]

/**
 * Sells what an honest order sells before each settlement of a block, and buys it back behind them: the settlement
 * reverts, and at the end of the block the order is fillable again.
 */
export const createPoolMover = (world: World, name: string): Participant => {
  const dice = world.dice(name)
  const { chain } = world
  const isHonest = (token: Address) => honestTokens.some(({ address }) => address === token)
  const liquid = pools.filter(({ address, tokens }) => address !== thinPool && tokens.every(isHonest))
  for (const { address } of honestTokens) world.give(address, poolMoverAddress, 10n ** 30n)
  const moves = new Map<string, number>()

  const swap = (pool: ModelPool, token: Address, amountIn: bigint, amountOut: bigint, order: { tip: bigint }): void => {
    const isFirst = pool.tokens[0] === token
    const transfer = encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [pool.address, amountIn] })
    world.transact(poolMoverAddress, token, transfer, order)
    const [out0, out1] = isFirst ? [0n, amountOut] : [amountOut, 0n]
    const args = [out0, out1, poolMoverAddress, '0x'] as const
    world.transact(
      poolMoverAddress,
      pool.address,
      encodeFunctionData({ abi: poolAbi, functionName: 'swap', args }),
      order,
    )
  }
  /** @returns moves it back */
  const sellTo = (pool: ModelPool, token: Address): (() => void) => {
    const side = pool.tokens[0] === token ? 0 : 1
    const [reserveIn, reserveOut] = ([side, 1 - side] as const).map((i) =>
      chain.store.get(toReserveKey(pool.address, i as 0 | 1)),
    ) as [bigint, bigint]
    const sold = (reserveIn * soldThousandths) / 1_000n
    const bought = computeSwapOutput(sold, reserveIn, reserveOut)
    swap(pool, token, sold, bought, first)
    // less than the pool gives: a settlement may have moved it between the two
    const regained = (computeSwapOutput(bought, reserveOut - bought, reserveIn + sold) * 98n) / 100n
    return () => swap(pool, pool.tokens[1 - side] ?? token, bought, regained, last)
  }

  return {
    name,
    act: async (block) => {
      if (block.number < 2) return
      // behind the orders of this block, and before the next one
      await world.sleep(actMs)
      const open = [...world.orders.values()].filter((order) => isFillable(world, order, block))
      const [victim] = open
      const isSpared = open.some(({ uid }) => (moves.get(uid) ?? 0) >= movesPerOrder)
      if (!victim || isSpared || dice.chance(0.1)) return
      for (const { uid } of open) moves.set(uid, (moves.get(uid) ?? 0) + 1)
      const { uid, sellToken } = victim
      const moved = liquid.filter(({ tokens }) => tokens.includes(sellToken))
      // transactions of one account are mined in their order
      const returns = moved.map((pool) => sellTo(pool, sellToken))
      for (const moveBack of returns) moveBack()
      world.log('moved', { uid, sellToken })
    },
  }
}
