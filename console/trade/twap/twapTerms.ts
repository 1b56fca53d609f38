import { count } from '../../ui/numbers.ts'
import type { Draft } from '../draft/draft.ts'
import { readSlippage } from '../draft/readSlippage.ts'
import type { TradeTerms } from '../draft/tradeTerms.ts'

/** Interpreted terms of a TWAP; invalid ones are undefined and have a fault. */
export type TwapTerms = {
  parts: number | undefined
  /** seconds from part to part */
  every: number
  /** basis points by which each part may pay less than the quote of now */
  protectionBps: number | undefined
  faults: { parts?: string | undefined; protection?: string | undefined }
}

export const twapDefaults = { parts: 4, every: 1_800, protectionBps: 300 }

/** The handler demands two, and the order book sums over a thousand. */
const partBounds = { least: 2, most: 1_000 }
/** Seconds: the longest time between two parts that the handler accepts. */
const longest = 31_536_000

export const readTwapTerms = ({ parts, every, protection }: TradeTerms): TwapTerms => {
  const typed = parts.trim()
  const number = typed === '' ? twapDefaults.parts : /^\d{1,4}$/.test(typed) ? Number(typed) : 0
  const isCount = number >= partBounds.least && number <= partBounds.most
  const { bps = twapDefaults.protectionBps, fault } = readSlippage(protection)
  return {
    parts: isCount ? number : undefined,
    every: Math.min(every ?? twapDefaults.every, longest),
    protectionBps: fault ? undefined : bps,
    faults: {
      parts: isCount ? undefined : `Enter a number from ${partBounds.least} to ${count.format(partBounds.most)}.`,
      protection: fault,
    },
  }
}

/**
 * One part of a TWAP as a market order, which has its quote, its minimum and its risks: the price protection is its
 * slippage. Atoms that cannot be shared equally are not sold.
 * @param draft of the whole amount
 */
export const toPartDraft = (draft: Draft, { parts, every, protectionBps, faults }: TwapTerms): Draft => ({
  ...draft,
  amount: (parts !== undefined && draft.amount !== undefined && draft.amount / BigInt(parts)) || undefined,
  slippageBps: protectionBps ?? 'auto',
  validFor: every,
  faults: { ...draft.faults, slippage: faults.protection ?? faults.parts },
})
