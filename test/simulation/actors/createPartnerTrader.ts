import { honestTokens, network, toAddress } from '../market.ts'
import type { FeeShare, Participant, World } from '../world.ts'
import { chooseMarketTerms } from './chooseMarketTerms.ts'
import { fundTrader } from './createMarketTrader.ts'
import { chooseQuoteTerms } from './createQuotedTrader.ts'
import { requestClientQuote } from './requests/requestClientQuote.ts'
import { submitOrder } from './requests/submitOrder.ts'

type Dice = ReturnType<World['dice']>

/** one for each fee of an order */
const recipients = ['partner', 'second partner', 'third partner'].map(toAddress)

/** A part of a gain with its cap. It is at most 6/10, so that an atom of the gain changes the fee by at most two. */
const chooseGainShare = <Kind extends 'surplus' | 'priceImprovement'>(dice: Dice, kind: Kind) => ({
  kind,
  bps: BigInt(dice.between(1, 60) * 100),
  capBps: BigInt(dice.between(1, 50)),
})

const chooseVolumeFee = (dice: Dice, most: number): FeeShare => ({ kind: 'volume', bps: BigInt(dice.between(1, most)) })

/** Some orders have two or three partners. Together they may request more than they get. */
const addPartners = (dice: Dice, fee: FeeShare): FeeShare[] => {
  const fees = [fee]
  while (fees.length < recipients.length && dice.chance(0.3))
    fees.splice(dice.between(0, fees.length), 0, chooseVolumeFee(dice, 80))
  return fees
}

const toDocument = (fees: readonly FeeShare[], validFrom: number): string => {
  const entries = fees.map((fee, i) => {
    const [recipient, bps] = [recipients[i], Number(fee.bps)]
    return fee.kind === 'volume'
      ? { recipient, volumeBps: bps }
      : { recipient, [`${fee.kind}Bps`]: bps, maxVolumeBps: Number(fee.capBps) }
  })
  const partnerFee = entries.length === 1 ? entries[0] : entries
  return JSON.stringify({ metadata: { partnerFee, ...(validFrom === 0 ? {} : { validFrom }) } })
}

/** Trades through front ends that take a fee of the volume or of the surplus, some orders only from a later second on. */
export const createPartnerTrader = (world: World, name: string): Participant => {
  const dice = world.dice(name)
  const account = fundTrader(world, name, honestTokens)
  const chooseFee = (): FeeShare => (dice.chance(0.5) ? chooseVolumeFee(dice, 50) : chooseGainShare(dice, 'surplus'))

  return {
    name,
    act: async (block) => {
      if (block.number < 2 || !dice.chance(0.12)) return
      const terms = chooseMarketTerms(world, dice, block)
      if (!terms) return
      const partnerFees = addPartners(dice, chooseFee())
      const now = Math.floor(world.now() / 1_000)
      const validFrom = dice.chance(0.4) ? now + dice.between(1, 4 * network.blockTimeSeconds) : 0
      await submitOrder(world, account, {
        ...terms,
        partnerFees,
        validFrom,
        appData: toDocument(partnerFees, validFrom),
      })
    },
  }
}

/** Tokens to sell: few, so that a lower gas price improves on the quote. */
const size = [20, 600] as const
/** Seconds around the end of a quote in which its trader cannot know whether it counts. */
const uncertainSeconds = 2

/**
 * Trades through a front end that takes a part of the improvement over the quote. Some orders are valid only later, when prices
 * have moved. It signs some quotes late, when they may have expired, does not name each of them, and sets some limits better
 * than the quote. Some orders sell or buy an atom less than the quote, which then does not count.
 */
export const createQuotedPartnerTrader = (world: World, name: string): Participant => {
  const dice = world.dice(name)
  const account = fundTrader(world, name, honestTokens)

  const chooseManner = () => ({
    /** until it signs */
    waitSeconds: dice.chance(0.3) ? dice.between(1, 75) : 0,
    /** from the quote on, until the order is valid; 0: at once */
    validAfter: dice.chance(0.5) ? dice.between(1, 8 * network.blockTimeSeconds) : 0,
    isNamed: dice.chance(0.7),
    partiallyFillable: dice.chance(0.3),
    /** part by which the limit is better than the signable one, 1/10000 */
    betterBps: dice.chance(0.3) ? BigInt(dice.between(20, 160)) : 0n,
    /** atoms */
    fewer: dice.chance(0.1) ? 1n : 0n,
  })

  return {
    name,
    act: async (block) => {
      if (block.number < 2 || !dice.chance(0.12)) return
      const partnerFees = addPartners(dice, chooseGainShare(dice, 'priceImprovement'))
      const terms = chooseQuoteTerms(world, dice, block, account.address, size)
      const { waitSeconds, validAfter, isNamed, partiallyFillable, betterBps, fewer } = chooseManner()
      const validFrom = validAfter > 0 ? Math.floor(world.now() / 1_000) + validAfter : 0
      const appData = toDocument(partnerFees, validFrom)
      const quote = await requestClientQuote(world, name, { ...terms, appData })
      if (!quote?.signable) return
      if (waitSeconds > 0) await world.sleep(waitSeconds * 1_000)
      if (Math.abs(Date.parse(quote.expiration) - world.now()) <= uncertainSeconds * 1_000) return
      const { sellToken, buyToken } = terms
      const { kind, validTo, ...limit } = quote.signable.order
      const [sell, buy] = [BigInt(limit.sellAmount), BigInt(limit.buyAmount)]
      const amounts =
        kind === 'sell'
          ? { sellAmount: sell - fewer, buyAmount: (buy * (10_000n + betterBps)) / 10_000n }
          : { sellAmount: (sell * (10_000n - betterBps)) / 10_000n, buyAmount: buy - fewer }
      await submitOrder(world, account, {
        ...{ sellToken, buyToken, kind, validTo, partiallyFillable, partnerFees, validFrom, appData, ...amounts },
        ...(isNamed ? { quoteId: quote.id } : {}),
      })
    },
  }
}
