import type { Hex } from 'viem'

export type PublicRow = Record<string, unknown>

/** Fields of an order's debug report that invariants compare. */
export type PublicReport = {
  order: PublicRow
  trades: (PublicRow & { txHash: Hex; auctionId?: number })[]
  events: { label: string }[]
  auctions: {
    id: number
    proposedSolutions: { solver: string; isWinner: boolean; executedSell: string; executedBuy: string; score: string }[]
    executions: {
      executedFee: string
      executedFeeToken: string
      blockNumber: number
      protocolFees: { amount: string }[]
    }[]
    settlementAttempts: { solver: string; outcome?: string; endBlock?: number; deadlineBlock: number }[]
  }[]
}
/** The same of a solver competition. */
export type PublicCompetition = {
  auctionId: number
  transactionHashes: string[]
  solutions: {
    solverAddress: string
    isWinner: boolean
    score: string
    txHash: string | null
    orders: { id: string; sellAmount: string; buyAmount: string }[]
  }[]
}

/** Statements of the public routes about one order. */
export type Audit = {
  uid: Hex
  /** head of the chain at the first request and at the last response */
  from: { number: number; hash: Hex }
  to: { number: number; hash: Hex }
  statuses: number[]
  order: PublicRow
  tradesV1: PublicRow[]
  trades: PublicRow[]
  report: PublicReport
  competitions: { hash: Hex; byHash: PublicCompetition; byId: PublicCompetition }[]
  notifications: PublicRow[]
}
