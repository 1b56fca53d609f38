import type { Address, Hex } from 'viem'
import type { Block } from '../chain/createChain.ts'
import { honestTokens, network } from '../market.ts'
import { estimateOutput } from '../oracle/estimateOutput.ts'
import type { Participant, World } from '../world.ts'
import { fundTrader } from './createMarketTrader.ts'
import { cancelOffChain } from './requests/cancelOffChain.ts'
import { requestClientQuote } from './requests/requestClientQuote.ts'
import { submitOrder } from './requests/submitOrder.ts'

/**
 * A request for a quote of honest tokens with an exact amount to sell or to buy.
 * @param size least and most that it sells, tokens
 */
export const chooseQuoteTerms = (
  world: World,
  dice: ReturnType<World['dice']>,
  block: Block,
  from: Address,
  [least, most]: readonly [number, number],
) => {
  const sell = dice.pick(honestTokens)
  const buy = dice.pick(honestTokens.filter((token) => token !== sell))
  const units = BigInt(dice.between(least, most)) * 10n ** BigInt(sell.decimals)
  const sellAmount = sell.symbol === 'WETH' ? units / 2_000n : units
  const [sellToken, buyToken] = [sell.address, buy.address]
  const exact = dice.chance(0.6)
    ? { kind: 'sell' as const, sellAmountBeforeFee: `${sellAmount}` }
    : {
        kind: 'buy' as const,
        buyAmountAfterFee: `${estimateOutput(world.chain, block, sellToken, buyToken, sellAmount)}`,
      }
  const validFor = dice.between(10, 40) * network.blockTimeSeconds
  return { sellToken, buyToken, from, ...exact, validFor, slippageBps: dice.between(30, 150) }
}

/** Requests a quote through the gateway, signs the order of the response and places it there; it cancels some of them. */
export const createQuotedTrader = (world: World, name: string): Participant => {
  const dice = world.dice(name)
  const account = fundTrader(world, name, honestTokens)
  const leaving: { uid: Hex; at: number }[] = []

  return {
    name,
    act: async (block) => {
      if (block.number < 2) return
      const [next] = leaving
      if (next && next.at <= block.number) {
        leaving.shift()
        await cancelOffChain(world, account, [next.uid])
      }
      if (!dice.chance(0.07)) return
      const terms = chooseQuoteTerms(world, dice, block, account.address, [100, 4_000])
      const quote = await requestClientQuote(world, name, terms)
      if (!quote?.signable) return
      const { sellToken, buyToken } = terms
      const { sellAmount, buyAmount, validTo, kind, partiallyFillable } = quote.signable.order
      const uid = await submitOrder(world, account, {
        ...{ sellToken, buyToken, validTo, kind, partiallyFillable },
        ...{ sellAmount: BigInt(sellAmount), buyAmount: BigInt(buyAmount), quoteId: quote.id },
      })
      if (uid && dice.chance(0.1)) leaving.push({ uid, at: block.number + dice.between(0, 2) })
    },
  }
}
