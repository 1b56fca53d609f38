import { encodeFunctionData, type Hex } from 'viem'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import { honestTokens, network } from '../market.ts'
import { estimateOutput } from '../oracle/estimateOutput.ts'
import type { Participant, World } from '../world.ts'
import { fundTrader } from './createMarketTrader.ts'
import { cancelOffChain } from './requests/cancelOffChain.ts'
import { submitOrder } from './requests/submitOrder.ts'

/** Places orders slightly away from the market and cancels them soon: by a signed request, or on the chain. */
export const createCanceller = (world: World, name: string): Participant => {
  const dice = world.dice(name)
  const account = fundTrader(world, name, honestTokens)
  const open: { uid: Hex; at: number }[] = []

  const cancel = async (uid: Hex, block: number): Promise<void> => {
    const order = world.orders.get(uid)
    if (!order) return
    if (dice.chance(0.5)) {
      order.cancelledAt = block
      const data = encodeFunctionData({ abi: settlementAbi, functionName: 'invalidateOrder', args: [uid] })
      return world.transact(account.address, network.settlementContract, data)
    }
    await cancelOffChain(world, account, [uid])
  }

  return {
    name,
    act: async (block) => {
      if (block.number < 2) return
      const [oldest] = open
      if (oldest && oldest.at <= block.number) {
        open.shift()
        await cancel(oldest.uid, block.number)
      }
      if (!dice.chance(0.08)) return
      const sell = dice.pick(honestTokens)
      const buy = dice.pick(honestTokens.filter((token) => token !== sell))
      const sellAmount = BigInt(dice.between(1, 30)) * 10n ** BigInt(sell.decimals)
      const output = estimateOutput(world.chain, block, sell.address, buy.address, sellAmount)
      const buyAmount = (output * BigInt(dice.between(9_950, 10_100))) / 10_000n
      if (buyAmount === 0n) return
      const uid = await submitOrder(world, account, {
        ...{ sellToken: sell.address, buyToken: buy.address, sellAmount, buyAmount },
      })
      if (uid) open.push({ uid, at: block.number + dice.between(1, 4) })
    },
  }
}
