import type { Hex } from 'viem'
import type { Block } from '../chain/createChain.ts'
import { honestTokens } from '../market.ts'
import { estimateOutput } from '../oracle/estimateOutput.ts'
import type { Participant, World } from '../world.ts'
import { fundTrader } from './createMarketTrader.ts'
import { cancelOffChain } from './requests/cancelOffChain.ts'
import { submitOrder } from './requests/submitOrder.ts'

/**
 * Offers both tokens of a pair for each other between the prices of the pools, in partially fillable orders of both kinds,
 * and replaces the offers after some blocks: one request cancels them all.
 */
export const createMarketMaker = (world: World, name: string): Participant => {
  const dice = world.dice(name)
  const account = fundTrader(world, name, honestTokens)
  let open: Hex[] = []
  let endsAt = 0

  const offer = async (block: Block): Promise<void> => {
    const first = dice.pick(honestTokens)
    const second = dice.pick(honestTokens.filter((token) => token !== first))
    for (const [sell, buy] of [
      [first, second],
      [second, first],
    ] as const) {
      const units = BigInt(dice.between(500, 5_000)) * 10n ** BigInt(sell.decimals)
      const sellAmount = sell.symbol === 'WETH' ? units / 2_000n : units
      const output = estimateOutput(world.chain, block, sell.address, buy.address, sellAmount)
      // the pool's fee lies between what it takes and what it pays
      const buyAmount = (output * BigInt(dice.between(10_005, 10_040))) / 10_000n
      const kind = dice.pick(['sell', 'buy'] as const)
      if (buyAmount === 0n) continue
      const terms = { sellToken: sell.address, buyToken: buy.address, sellAmount, buyAmount, kind }
      const uid = await submitOrder(world, account, { ...terms, partiallyFillable: true })
      if (uid) open.push(uid)
    }
  }

  return {
    name,
    act: async (block) => {
      if (block.number < 2 || block.number < endsAt) return
      if (open.length > 0) {
        const uids = open
        open = []
        return cancelOffChain(world, account, uids)
      }
      if (!dice.chance(0.12)) return
      endsAt = block.number + dice.between(3, 9)
      await offer(block)
    },
  }
}
