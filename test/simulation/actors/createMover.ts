import { encodeFunctionData } from 'viem'
import { toBalanceKey, tokenAbi } from '../chain/contracts/tokenCode.ts'
import type { Block } from '../chain/createChain.ts'
import { modelTokens, toAddress } from '../market.ts'
import { estimateOutput } from '../oracle/estimateOutput.ts'
import type { Participant, World } from '../world.ts'
import { fundTrader } from './createMarketTrader.ts'
import { submitOrder } from './requests/submitOrder.ts'

/**
 * An honest owner whose funds leave as soon as its order is placed, and return some blocks later: the order leaves the
 * auctions and enters them again.
 */
export const createMover = (world: World, name: string): Participant => {
  const dice = world.dice(name)
  const account = fundTrader(world, name, [modelTokens.DAI, modelTokens.WETH])
  const vault = toAddress(`${name} vault`)
  const { store } = world.chain
  const token = modelTokens.DAI.address
  let returnsAt: number | undefined

  const move = (from: typeof vault, to: typeof vault): void => {
    const amount = store.get(toBalanceKey(token, from))
    world.give(token, from, 0n)
    const data = encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [to, amount] })
    world.transact(from, token, data, { tip: 2n * 10n ** 10n })
  }
  const place = async (block: Block): Promise<void> => {
    const sellAmount = BigInt(dice.between(200, 2_000)) * 10n ** 18n
    const output = estimateOutput(world.chain, block, token, modelTokens.WETH.address, sellAmount)
    await submitOrder(world, account, {
      ...{ sellToken: token, buyToken: modelTokens.WETH.address, sellAmount },
      buyAmount: (output * BigInt(dice.between(9_400, 9_800))) / 10_000n,
    })
  }

  return {
    name,
    act: async (block) => {
      if (block.number < 2) return
      if (returnsAt !== undefined) {
        if (block.number < returnsAt) return
        returnsAt = undefined
        return move(vault, account.address)
      }
      if (!dice.chance(0.1)) return
      returnsAt = block.number + dice.between(3, 6)
      await place(block)
      move(account.address, vault)
    },
  }
}
