import { zeroAddress } from 'viem'
import type { components } from '../api/openapi.d.ts'
import { appDataHash, type OrderTypedData } from './buildOrder.ts'
import type { Draft } from './draft.ts'
import { buildDomain, orderTypes } from './orderTypes.ts'
import { type Quote, toExpected } from './quote.ts'

type Shown = {
  network: Pick<components['schemas']['ServedNetwork'], 'chainId' | 'settlementContract'>
  draft: Draft
  /** null: of an order with a price of its own when the market offers nothing */
  quote: Quote | null
  /** that the quote was asked for with, or now and the time that a limit order has; Unix seconds */
  validTo: number
}

const wholeBps = 10_000n

/**
 * Holds what is about to be signed against what the page shows, so that nobody signs anything else, whatever a quote says.
 * @returns what differs, in the names that are signed; empty: nothing
 */
export const checkOrder = ({ domain, types, primaryType, message }: OrderTypedData, shown: Shown): string[] => {
  const { network, draft } = shown
  const amounts = computeShownAmounts(shown)
  const expected: Record<string, unknown> = {
    ...buildDomain(network),
    primaryType: 'Order',
    types: toText(orderTypes.Order),
    sellToken: draft.sell?.address,
    buyToken: draft.buy?.address,
    receiver: draft.receiver ?? zeroAddress,
    sellAmount: amounts.sellAmount?.toString(),
    buyAmount: amounts.buyAmount?.toString(),
    validTo: shown.validTo,
    appData: appDataHash,
    feeAmount: '0',
    kind: draft.kind,
    partiallyFillable: draft.isPartiallyFillable,
    sellTokenBalance: 'erc20',
    buyTokenBalance: 'erc20',
  }
  const signed: Record<string, unknown> = { ...domain, ...message, primaryType, types: toText(types.Order) }
  const fields = new Set([...Object.keys(expected), ...Object.keys(signed)])
  return [...fields].filter((field) => signed[field] !== expected[field])
}

const toText = (members: { name: string; type: string }[]): string =>
  members.map(({ name, type }) => `${type} ${name}`).join()

/** What was typed on the exact side; on the other one the limit, or the quote after all fees and the slippage that is shown. */
const computeShownAmounts = ({ draft, quote }: Shown): { sellAmount?: bigint; buyAmount?: bigint } => {
  const { kind, amount = 0n, limit } = draft
  if (draft.type === 'limit') return limit ?? {}
  if (!quote) return {}
  const { sellAmount, buyAmount } = toExpected(quote)
  const slippage = BigInt(draft.slippageBps)
  return kind === 'sell'
    ? { sellAmount: amount, buyAmount: (buyAmount * (wholeBps - slippage) + wholeBps - 1n) / wholeBps }
    : { sellAmount: (sellAmount * (wholeBps + slippage)) / wholeBps, buyAmount: amount }
}
