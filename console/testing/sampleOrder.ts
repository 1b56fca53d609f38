import type { DebugReport, Order, Trade } from '../order/loading/loadOrder.ts'

/** Test data: API responses for an order that sells 1 WETH for at least 2,500 USDC. */
export const weth = `0x${'aa'.repeat(20)}`
export const usdc = `0x${'bb'.repeat(20)}`
export const solver = `0x${'cc'.repeat(20)}`
export const uid = `0x${'11'.repeat(56)}`
export const hash = `0x${'22'.repeat(32)}`

/** Unix milliseconds of `sampleOrder`'s creation. */
export const start = Date.UTC(2026, 0, 2, 12)

export const at = (seconds: number): string => new Date(start + seconds * 1_000).toISOString()

export const sampleOrder = (changes: Partial<Order> = {}): Order => ({
  sellToken: weth,
  buyToken: usdc,
  receiver: null,
  sellAmount: '1000000000000000000',
  buyAmount: '2500000000',
  feeAmount: '0',
  validTo: start / 1_000 + 1_800,
  kind: 'sell',
  partiallyFillable: false,
  sellTokenBalance: 'erc20',
  buyTokenBalance: 'erc20',
  signingScheme: 'eip712',
  signature: '0x',
  class: 'limit',
  appData: '{}',
  appDataHash: hash,
  fullAppData: '{}',
  creationDate: at(0),
  owner: `0x${'dd'.repeat(20)}`,
  from: `0x${'dd'.repeat(20)}`,
  settlementContract: `0x${'ee'.repeat(20)}`,
  uid,
  executedSellAmount: '0',
  executedSellAmountBeforeFees: '0',
  executedBuyAmount: '0',
  executedFeeAmount: '0',
  executedFee: '0',
  executedFeeToken: weth,
  invalidated: false,
  status: 'open',
  quoteId: null,
  fullBalanceCheck: false,
  availableBalance: null,
  isLiquidityOrder: false,
  interactions: { pre: [], post: [] },
  ...changes,
})

export const sampleTrade = (changes: Partial<Trade> = {}): Trade => ({
  blockNumber: 102,
  logIndex: 3,
  orderUid: uid,
  owner: `0x${'dd'.repeat(20)}`,
  sellToken: weth,
  buyToken: usdc,
  sellAmount: '1000000000000000000',
  sellAmountBeforeFees: '1000000000000000000',
  buyAmount: '2512300000',
  txHash: hash,
  executedProtocolFees: [],
  ...changes,
})

type Auction = DebugReport['auctions'][number]

export const sampleAuction = (id: number, changes: Partial<Auction> = {}): Auction => ({
  id,
  block: 100,
  deadline: 105,
  nativePrices: {},
  proposedSolutions: [sampleSolution(0)],
  executions: [],
  settlementAttempts: [],
  feePolicies: [],
  ...changes,
})

type Solution = Auction['proposedSolutions'][number]

export const sampleSolution = (solutionUid: number, changes: Partial<Solution> = {}): Solution => ({
  solutionUid,
  ranking: solutionUid + 1,
  solver,
  isWinner: false,
  filteredOut: false,
  score: '1000',
  executedSell: '1000000000000000000',
  executedBuy: '2512300000',
  ...changes,
})

export const sampleReport = (changes: Partial<DebugReport> = {}): DebugReport => ({
  orderUid: uid,
  order: sampleOrder(),
  diagnosis: { code: 'in_auction', severity: 'info', since: null, message: '', suggestion: null, data: {} },
  events: [],
  listedAuctions: null,
  auctions: [],
  trades: [],
  ...changes,
})
