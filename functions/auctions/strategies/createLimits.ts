import { type Address, decodeAbiParameters, type Hex, parseAbiParameters } from 'viem'
import type { Database } from '#schema/client.ts'
import { selectFirstAmounts } from '#schema/queries/strategies/conditionalParts.ts'
import type { DueOrder } from '#schema/queries/strategies/selectDue.ts'
import { maxUint256 } from '#shared/amounts/uint256.ts'
import type { Evaluation } from '#shared/strategies/evaluation.ts'
import { createFirstWaits } from '../book/createFirstWaits.ts'
import { findPrices } from '../book/findPrices.ts'
import type { AuctionPriceDeps, PriceCache } from '../book/requestPrices.ts'

/** Buy amount to evaluate with, atoms; else the outcome without one; undefined: the order remains due. */
export type Limit = bigint | Evaluation | undefined

/** The least that an order without a limit of its owner takes, per cent of what its sell amount is worth. */
const leastPercent = 98n
/** Orders of one block whose tokens are priced: anyone can name as many tokens as they like. */
const maxPriced = 10

const failed: Evaluation = { reason: 'failed' }
const noPrice: Evaluation = {
  reason: 'tryNextBlock',
  message: 'its owner signs no limit, and native prices of its tokens give none',
}

/**
 * Limits of orders whose handler takes the buy amount with each evaluation (good after time): the amount of the first
 * part, so that an order never has two different ones, and before that 98 % of its worth by native prices.
 * @returns in the order of `orders`
 */
export const createLimits = (deps: AuctionPriceDeps & { database: Database }) => {
  const cache: PriceCache = new Map()
  const waits = createFirstWaits(deps.now)
  return async (orders: readonly DueOrder[]): Promise<Limit[]> => {
    const terms = orders.map(({ staticInput }) => readTerms(staticInput))
    if (!terms.some((each) => each)) return orders.map(() => failed)
    const amounts = await selectFirstAmounts(deps.database, deps.network.chainId, orders)
    const unpriced = orders.flatMap((_, i) => (terms[i] && amounts[i] === undefined ? [i] : [])).slice(0, maxPriced)
    const tokens = unpriced.flatMap((i) => (terms[i] ? [terms[i].sellToken, terms[i].buyToken] : []))
    const prices = await findPrices(deps, cache, waits, tokens)
    return orders.map((_, i): Limit => {
      if (!terms[i]) return failed
      if (amounts[i] !== undefined) return amounts[i]
      return unpriced.includes(i) ? (computeLimit(terms[i], prices) ?? noPrice) : undefined
    })
  }
}

type Terms = { sellToken: Address; buyToken: Address; sellAmount: bigint }

const goodAfterTime = parseAbiParameters([
  'Data data',
  'struct Data { address sellToken; address buyToken; address receiver; uint256 sellAmount; uint256 minSellBalance; uint256 startTime; uint256 endTime; bool allowPartialFill; bytes priceCheckerPayload; bytes32 appData; }',
])

/** @returns undefined for the static input of another handler */
const readTerms = (staticInput: Hex): Terms | undefined => {
  try {
    const [{ sellToken, buyToken, sellAmount }] = decodeAbiParameters(goodAfterTime, staticInput)
    return { sellToken: toAddress(sellToken), buyToken: toAddress(buyToken), sellAmount }
  } catch {
    return undefined
  }
}

const toAddress = (address: Address): Address => address.toLowerCase() as Address

/**
 * Rounded down to buy token atoms. It is part of what is signed, so that no settlement pays less.
 * @returns undefined: without a price, or worth less than one atom or more than a token can have
 */
const computeLimit = (
  { sellToken, buyToken, sellAmount }: Terms,
  prices: ReadonlyMap<Address, bigint>,
): bigint | undefined => {
  const [sell, buy] = [prices.get(sellToken), prices.get(buyToken)]
  const limit = sell && buy ? (sellAmount * sell * leastPercent) / (buy * 100n) : 0n
  return limit > 0n && limit <= maxUint256 ? limit : undefined
}
