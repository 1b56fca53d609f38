import type { Hex } from 'viem'
import type { Audit, PublicCompetition } from '../audit.ts'
import { isEndedByUser } from '../chain/contracts/ethFlowCode.ts'
import { type ChainEvent, listChainEvents } from '../oracle/listChainEvents.ts'
import type { PlacedOrder, World } from '../world.ts'
import { computeTradeFee } from './checkFees.ts'
import { expectEqual, Violation } from './violation.ts'

/** blocks of calm before an audit, so that outcomes of attempts are decided */
const calmBlocks = 8
/** blocks after a reorganisation in which a cache may return a filled order of before: 360 seconds (`cachePolicies.terminal`) */
const cachedBlocks = 30

type TradeEvent = Extract<ChainEvent, { name: 'Trade' }>

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)
const toLines = (rows: unknown[][]): string => rows.map((row) => row.map(String).join(' ')).join('\n')

/**
 * The public routes' statements about an order without an event for some blocks agree with the chain to the atom: the
 * order, both lists of its trades, its debug report, the competitions of its trades and the notifications.
 */
export const checkPublic = ({ chain, orders, weather, audits }: World): void => {
  for (const audit of audits.splice(0)) {
    const { uid, from, to } = audit
    const { disturbedAt } = weather
    const isCalm = (disturbedAt === 0 || from.number > disturbedAt + calmBlocks) && to.hash === from.hash
    const order = orders.get(uid)
    if (weather.replaced.some(({ to }) => to > from.number - cachedBlocks)) continue
    if (!isCalm || !order || chain.head().hash !== from.hash) continue
    const trades = listChainEvents(chain.blocks)
      .filter((event) => event.name === 'Trade')
      .filter(({ args }) => args.orderUid === uid)
    const isUndisturbed = weather.replaced.length === 0
    checkOrder(audit, order, trades, isEndedByUser(chain, uid))
    checkTradeLists(audit, trades)
    checkReport(audit, trades, isUndisturbed)
    for (const trade of trades) checkCompetition(audit, order, trade)
    checkNotifications(audit, trades)
  }
}

const checkOrder = ({ statuses, order, uid }: Audit, placed: PlacedOrder, trades: TradeEvent[], isEnded: boolean) => {
  const state = (what: string, actual: unknown, expected: unknown) =>
    expectEqual('public', `${what} of the order`, actual, expected, uid)
  const failed = statuses.find((status) => status !== 200)
  if (failed !== undefined) throw new Violation('public', `a route responds with ${failed}: ${statuses}`, uid)
  const [sold, bought, fee] = [
    sum(trades.map(({ args }) => args.sellAmount)),
    sum(trades.map(({ args }) => args.buyAmount)),
    sum(trades.map(({ args }) => args.feeAmount)),
  ]
  state('the sold amount', order.executedSellAmount, sold)
  state('the sold amount before fees', order.executedSellAmountBeforeFees, sold - fee)
  state('the bought amount', order.executedBuyAmount, bought)
  state('the fee', order.executedFee, sum(trades.map(computeTradeFee)))
  const isFilled = placed.kind === 'sell' ? sold - fee === placed.sellAmount : bought === placed.buyAmount
  if (isFilled) state('the status', order.status, 'fulfilled')
  else if (order.status === 'fulfilled') throw new Violation('public', `${sold} sold is not all`, uid)
  if (isEnded) state('the mark of an end', order.invalidated, true)
  state('the quote', order.quoteId, placed.quoteId ?? null)
}

const toFacts = (trade: TradeEvent) => {
  const { sellAmount, feeAmount, buyAmount } = trade.args
  return [trade.block, trade.logIndex, sellAmount, sellAmount - feeAmount, buyAmount, trade.receipt.transaction.hash]
}
const readFacts = (row: Record<string, unknown>) =>
  ['blockNumber', 'logIndex', 'sellAmount', 'sellAmountBeforeFees', 'buyAmount', 'txHash'].map((name) => row[name])

/** All lists have the newest trade first. */
const checkTradeLists = ({ uid, ...answers }: Audit, trades: TradeEvent[]): void => {
  const expected = toLines(trades.toReversed().map(toFacts))
  for (const list of ['tradesV1', 'trades'] as const)
    expectEqual('public', `the list ${list}`, toLines(answers[list].map(readFacts)), expected, uid)
  expectEqual('public', 'the trades of the report', toLines(answers.report.trades.map(readFacts)), expected, uid)
}

const checkReport = ({ uid, order, report }: Audit, trades: TradeEvent[], isUndisturbed: boolean): void => {
  const executed = ['executedSellAmount', 'executedBuyAmount', 'executedFee', 'status', 'invalidated', 'quoteId']
  for (const name of executed) expectEqual('public', `${name} of the report`, report.order[name], order[name], uid)
  const fees = report.auctions.flatMap(({ executions }) => executions.map(({ executedFee }) => BigInt(executedFee)))
  expectEqual('public', 'the fees of the report', sum(fees), sum(trades.map(computeTradeFee)), uid)
  const traded = report.events.filter(({ label }) => label === 'traded').length
  if (isUndisturbed) expectEqual('public', 'the number of traded events', traded, trades.length, uid)
}

/** The winner of the trade's auction settled it; its attempt is a success when it paid what it promised or better. */
const checkCompetition = ({ uid, report, competitions }: Audit, { kind }: PlacedOrder, trade: TradeEvent): void => {
  const { hash, from } = trade.receipt.transaction
  const state = (what: string, actual: unknown, expected: unknown) =>
    expectEqual('public', `${what} of ${hash}`, actual, expected, uid)
  const found = competitions.find((other) => other.hash === hash)
  const auction = report.auctions.find(({ id }) => id === found?.byId.auctionId)
  if (!found || !auction) throw new Violation('public', `no auction of the trade ${hash}`, uid)
  state('the competition by hash', JSON.stringify(found.byHash), JSON.stringify(found.byId))
  state('the transactions', found.byId.transactionHashes.includes(hash), true)
  const isWinner = ({ solutions }: PublicCompetition) =>
    solutions.find((solution) => solution.isWinner && solution.txHash === hash)
  const winner = isWinner(found.byId)
  state('the solver', winner?.solverAddress, from)
  const [promised, proposed] = [
    winner?.orders.find(({ id }) => id === uid),
    auction.proposedSolutions.find((solution) => solution.isWinner && solution.solver === from),
  ]
  state(
    'the promised amounts',
    `${promised?.sellAmount} ${promised?.buyAmount}`,
    `${proposed?.executedSell} ${proposed?.executedBuy}`,
  )
  state('the score', proposed?.score, winner?.score)
  const { sellAmount, feeAmount, buyAmount } = trade.args
  const [sell, buy] = [BigInt(promised?.sellAmount ?? 0), BigInt(promised?.buyAmount ?? 0)]
  const isAsPromised =
    kind === 'sell' ? sell === sellAmount - feeAmount && buyAmount >= buy : buy === buyAmount && sellAmount <= sell
  const expected = isAsPromised ? 'success' : 'mismatch'
  // the solver may have won with another solution, too, which failed in the same block
  const isFound = ({ solver, endBlock, deadlineBlock, outcome }: (typeof auction.settlementAttempts)[number]) =>
    solver === from &&
    ((endBlock === trade.block && outcome === expected) ||
      // promised, but late
      (isAsPromised && deadlineBlock < trade.block && outcome === 'timeout'))
  state(`an attempt with the outcome ${expected}`, auction.settlementAttempts.some(isFound), true)
  state(
    'the executions',
    auction.executions.some(({ blockNumber }) => blockNumber === trade.block),
    true,
  )
}

const checkNotifications = ({ uid, notifications }: Audit, trades: TradeEvent[]): void => {
  const hashes = new Set<Hex>(trades.map(({ receipt }) => receipt.transaction.hash))
  for (const hash of hashes)
    if (!notifications.some((notification) => JSON.stringify(notification).includes(hash)))
      throw new Violation('public', `no notification of the trade ${hash}`, uid)
}
