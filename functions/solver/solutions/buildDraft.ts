import type { Address } from 'viem'
import { type Batch, type Request, toRequest } from '../batches/batch.ts'
import type { BatchMarket } from '../batches/batchMarket.ts'
import { computePaid, type Executed } from '../fills/executed.ts'
import type { Solution } from './buildSolution.ts'

/** The inputs of a proposed solution: sufficient for computing it again with newer pools. */
export interface SolutionDraft {
  /** wei per gas unit at the search: network fees do not change afterwards */
  gasPrice: bigint
  /** likewise, gas units; absent in drafts of an earlier version */
  dataGas?: bigint | undefined
  /** as in the search; absent in drafts of an earlier version */
  feeTokens?: (readonly [Address, bigint])[] | undefined
  /** auction prices of the traded tokens, wei per 10^18 atoms */
  prices: (readonly [Address, bigint])[]
  batches: {
    requests: Request[]
    /** for each request the proposed amounts, signed fees included */
    promised: Executed[]
  }[]
}

/** @returns undefined when orders trade with each other: their price does not follow from the pools alone */
export const buildDraft = (
  { batches }: Solution,
  { gasPrice, dataGas, prices, feeTokens }: BatchMarket,
): SolutionDraft | undefined => {
  if (!batches.every(isPooled)) return undefined
  const tokens = new Set(batches.flatMap(({ sellToken, buyToken }) => [sellToken, buyToken]))
  return {
    gasPrice,
    dataGas,
    feeTokens: [...feeTokens],
    prices: [...tokens].flatMap((token) => {
      const price = prices.get(token)
      return price === undefined ? [] : [[token, price] as const]
    }),
    batches: batches.map(({ fills }) => ({
      requests: fills.map(toRequest),
      promised: fills.map((fill) => ({ executedSell: computePaid(fill), executedBuy: fill.executedBuy })),
    })),
  }
}

/** Whether all orders trade in one direction, with the pools only. */
const isPooled = ({ fills }: Batch): boolean => {
  const [first] = fills
  return fills.every(
    ({ order }) =>
      order.kind === first?.order.kind &&
      order.sellToken === first.order.sellToken &&
      order.buyToken === first.order.buyToken,
  )
}
