import { encodeFunctionData } from 'viem'
import { toBalanceKey, tokenAbi } from '../chain/contracts/tokenCode.ts'
import { honestTokens, hostileTokens, type ModelToken, modelTokens, toAddress } from '../market.ts'
import { estimateOutput } from '../oracle/estimateOutput.ts'
import type { Participant, World } from '../world.ts'
import { fundTrader } from './createMarketTrader.ts'
import { submitOrder } from './requests/submitOrder.ts'

/** Sells and buys tokens that misbehave, and moves its funds away while its orders are open. */
export const createHostileTrader = (
  world: World,
  name: string,
  hostile: readonly ModelToken[] = hostileTokens,
): Participant => {
  const dice = world.dice(name)
  const account = fundTrader(world, name, [...honestTokens, ...hostile])
  const hiding = toAddress(`${name} hiding`)

  const trade = async (block: Parameters<Participant['act']>[0]): Promise<void> => {
    const bad = dice.pick(hostile)
    const [sell, buy] = dice.chance(0.6) ? [bad, modelTokens.WETH] : [modelTokens.WETH, bad]
    const units = sell === modelTokens.WETH ? dice.between(1, 10) : dice.between(1_000, 20_000)
    const sellAmount = BigInt(units) * 10n ** 17n
    const output = estimateOutput(world.chain, block, sell.address, buy.address, sellAmount)
    if (output === 0n) return
    const buyAmount = (output * BigInt(dice.between(9_000, 9_900))) / 10_000n
    await submitOrder(world, account, {
      ...{ sellToken: sell.address, buyToken: buy.address, sellAmount, buyAmount },
      partiallyFillable: dice.chance(0.3),
    })
  }

  const hide = (): void => {
    const token = dice.pick([modelTokens.USDC, modelTokens.WETH])
    const { store } = world.chain
    const [from, to] = dice.chance(0.5) ? [account.address, hiding] : [hiding, account.address]
    const amount = store.get(toBalanceKey(token.address, from))
    if (amount === 0n) return
    world.give(token.address, from, 0n)
    const data = encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [to, amount] })
    world.transact(from, token.address, data, { tip: 2n * 10n ** 9n })
  }

  return {
    name,
    act: async (block) => {
      if (block.number < 2) return
      if (dice.chance(0.1)) hide()
      if (dice.chance(0.1)) await trade(block)
    },
  }
}
