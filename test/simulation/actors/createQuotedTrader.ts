import type { Address, Hex } from 'viem'
import type { Block } from '../chain/createChain.ts'
import { honestTokens, network } from '../market.ts'
import { estimateOutput } from '../oracle/estimateOutput.ts'
import type { Participant, World } from '../world.ts'
import { fundTrader } from './createMarketTrader.ts'
import { cancelOffChain } from './requests/cancelOffChain.ts'
import { requestClientQuote } from './requests/requestClientQuote.ts'
import { submitOrder } from './requests/submitOrder.ts'

/** Requests a quote through the gateway, signs the order of the response and places it there; it cancels some of them. */
export const createQuotedTrader = (world: World, name: string): Participant => {
  const dice = world.dice(name)
  const account = fundTrader(world, name, honestTokens)
  const leaving: { uid: Hex; at: number }[] = []

  const chooseSize = (block: Block, sellToken: Address, buyToken: Address, sellAmount: bigint) =>
    dice.chance(0.6)
      ? { kind: 'sell' as const, sellAmountBeforeFee: `${sellAmount}` }
      : {
          kind: 'buy' as const,
          buyAmountAfterFee: `${estimateOutput(world.chain, block, sellToken, buyToken, sellAmount)}`,
        }

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
      const sell = dice.pick(honestTokens)
      const buy = dice.pick(honestTokens.filter((token) => token !== sell))
      const units = BigInt(dice.between(100, 4_000)) * 10n ** BigInt(sell.decimals)
      const sellAmount = sell.symbol === 'WETH' ? units / 2_000n : units
      const size = chooseSize(block, sell.address, buy.address, sellAmount)
      const validFor = dice.between(10, 40) * network.blockTimeSeconds
      const slippageBps = dice.between(30, 150)
      const terms = {
        sellToken: sell.address,
        buyToken: buy.address,
        from: account.address,
        ...size,
        validFor,
        slippageBps,
      }
      const quote = await requestClientQuote(world, name, terms)
      if (!quote?.signable) return
      const { sellAmount: signedSell, buyAmount, validTo, kind, partiallyFillable } = quote.signable.order
      const uid = await submitOrder(world, account, {
        ...{ sellToken: sell.address, buyToken: buy.address, validTo, kind, partiallyFillable },
        ...{ sellAmount: BigInt(signedSell), buyAmount: BigInt(buyAmount), quoteId: quote.id },
      })
      if (uid && dice.chance(0.1)) leaving.push({ uid, at: block.number + dice.between(0, 2) })
    },
  }
}
