import { describe, expect, test } from 'vitest'
import { diagnosisCodes } from '../../../functions/debug/report/diagnosis.ts'
import { isWaiting } from '../../../functions/debug/report/isWaiting.ts'
import { toDebugReport } from '../../../functions/debug/report/toDebugReport.ts'
import { computeProgressType, progressTypes } from '../../../functions/orders/lookup/computeProgressType.ts'
import type { DebugFacts } from '../../../schema/queries/debug/debugReport.ts'
import { isProgressLabel, type OrderEventLabel } from '../../../schema/queries/events/progressEvents.ts'
import { computeOrderStatus } from '../../../shared/orders/computeOrderStatus.ts'
import { toOrderResponse } from '../../../shared/orders/orderResponse.ts'
import type { StoredOrder } from '../../../shared/orders/storedOrder.ts'
import { type Finding, fail } from '../../../shared/orders/verdict/finding.ts'
import { filledOrder } from '../../../test/helpers/database/filledOrder.ts'
import { applyEvent } from '../../trade/following/applyEvent.ts'
import type { DebugReport, Order } from '../loading/loadOrder.ts'
import { computeFilledShare } from './computeFilledShare.ts'
import { describeState } from './describeState.ts'
import { describeVerdict } from './describeVerdict.ts'

const now = 1_900_000_000
const solver = `0x${'5a'.repeat(20)}` as const
const { owner, uid } = filledOrder

/** Sells 1000 for at least 2000, a minute old. */
const openOrder: StoredOrder = {
  ...filledOrder,
  createdAt: new Date((now - 60) * 1_000),
  validTo: now + 600,
  executedSellAmount: 0n,
  executedBuyAmount: 0n,
  executedFee: 0n,
}
const quarter = { partiallyFillable: true, executedSellAmount: 250n, executedBuyAmount: 500n, executedFee: 2n }
const whole = { executedSellAmount: 1000n, executedBuyAmount: 2100n, executedFee: 7n }
const presign = { signingScheme: 'presign', signature: '0x' } as const
const expired = { validTo: now - 1 }
const cancelled = { cancelledAt: new Date((now - 5) * 1_000) }

type Facts = Partial<DebugFacts>
/** With the current verdict for an order in the auctions. */
type Given = Facts & { findings?: readonly Finding[] }

/** Events a second apart, the newest half a minute old; `label reason` names one with a reason. */
const log = (...names: string[]): Facts => ({
  events: ['created', ...names].map((name, index, all) => {
    const [label, reason = null] = name.split(' ')
    const createdAt = new Date((now - 30 - all.length + index) * 1_000)
    return { label: label as OrderEventLabel, reason, createdAt, data: null }
  }),
})
const inAuctions = { membership: { first: 3, last: 9, isOpen: true } }
const won: Facts = {
  solutions: [
    {
      ...{ auctionId: 7, uid: 0, solver, isWinner: true, filteredOut: false, score: 1n },
      ...{ executedSell: 1000n, executedBuy: 2100n },
    },
  ],
}
const attempt = (outcome: string | null): Facts => ({
  ...won,
  attempts: [
    {
      ...{ auctionId: 7, solutionUid: 0, solver, startedAt: new Date(0), startBlock: 100, endBlock: null, outcome },
      ...{ endedAt: outcome === null ? null : new Date(1_000), deadlineBlock: 105, blame: null, mismatch: null },
    },
  ],
})

/**
 * Every state of an order: its name, database facts, the API's fields (status, diagnosis, progress) and the pages'
 * texts (badge, verdict of the diagnosis, heading of the result, actions).
 */
type Row = [
  string,
  Partial<StoredOrder>,
  Given,
  [string, string, string],
  [string, string, string | null, string | null],
]

const cancel = 'Follow or cancel'
const follow = 'Follow order'
const rows: Row[] = [
  [
    'waits for its signature on-chain',
    presign,
    log('invalid invalid_signature'),
    ['presignaturePending', 'presignature_pending', 'open'],
    ['Needs on-chain signature', 'May not fill', null, cancel],
  ],
  [
    'was signed on-chain',
    { ...presign, presigned: true },
    log(),
    ['open', 'waiting_for_auction', 'scheduled'],
    ['Open', 'In progress', null, cancel],
  ],
  [
    'waits for its first auction',
    {},
    log(),
    ['open', 'waiting_for_auction', 'scheduled'],
    ['Open', 'In progress', null, cancel],
  ],
  [
    'becomes valid later',
    { validFrom: now + 50 },
    log(),
    ['open', 'not_yet_valid', 'scheduled'],
    ['Open', 'In progress', null, cancel],
  ],
  [
    'expires too soon for an auction',
    { validTo: now + 30 },
    log(),
    ['open', 'expires_too_soon', 'scheduled'],
    ['Open', 'Cannot fill', null, cancel],
  ],
  [
    'is in an auction',
    {},
    { ...inAuctions, events: [{ label: 'ready', reason: null, data: null, createdAt: new Date(now * 1_000) }] },
    ['open', 'in_auction', 'active'],
    ['Open', 'In progress', null, cancel],
  ],
  [
    'has no solution',
    {},
    { ...inAuctions, ...log('ready') },
    ['open', 'no_solution', 'active'],
    ['Open', 'May not fill', null, cancel],
  ],
  [
    'is outbid',
    {},
    { ...inAuctions, ...won, ...log('ready', 'considered') },
    ['open', 'outbid', 'solved'],
    ['Open', 'May not fill', null, cancel],
  ],
  [
    'is out of the market',
    {},
    log('filtered out_of_market'),
    ['open', 'out_of_market', 'open'],
    ['Open', 'May not fill', null, cancel],
  ],
  [
    'has no place in a full auction',
    {},
    log('filtered auction_full'),
    ['open', 'auction_full', 'open'],
    ['Open', 'May not fill', null, cancel],
  ],
  [
    'waits for the end of a pause',
    {},
    log('filtered paused'),
    ['open', 'paused', 'open'],
    ['Open', 'May not fill', null, cancel],
  ],
  ...(
    [
      ['insufficient_balance', 'Cannot fill'],
      ['insufficient_allowance', 'Cannot fill'],
      ['invalid_signature', 'Cannot fill'],
      ['hook_reverts', 'Cannot fill'],
      ['too_much_gas', 'Cannot fill'],
      ['unsupported_by_solvers', 'Cannot fill'],
      ['unsupported_token', 'Cannot fill'],
      ['banned_user', 'Cannot fill'],
    ] as const
  ).map(
    ([reason, verdict]): Row => [
      `is left out: ${reason}`,
      {},
      log('ready', `invalid ${reason}`),
      ['open', reason, 'open'],
      ['Open', verdict, null, cancel],
    ],
  ),
  ...(
    [
      [fail('price', 'NoLiquidity', {}, true), 'no_route', 'May not fill'],
      [fail('price', 'SellAmountDoesNotCoverFee', { minSellAmount: '2000' }, true), 'too_small', 'May not fill'],
      [fail('transferability', 'TransferSimulationFailed', {}, true), 'transfer_fails', 'Cannot fill'],
      [fail('payout', 'PayoutFails', {}, true), 'payout_fails', 'Cannot fill'],
      [fail('price', 'SettlementReverts', {}, true), 'settlement_reverts', 'Cannot fill'],
    ] as const
  ).map(
    ([finding, code, verdict]): Row => [
      `is in the auctions and cannot be settled now: ${code}`,
      {},
      { ...inAuctions, ...log('ready'), findings: [finding] },
      ['open', code, 'active'],
      ['Open', verdict, null, cancel],
    ],
  ),
  [
    'has a token without a price',
    {},
    log('filtered missing_native_price'),
    ['open', 'missing_native_price', 'open'],
    ['Open', 'May not fill', null, cancel],
  ],
  ['is dust', {}, log('filtered dust_order'), ['open', 'dust_order', 'open'], ['Open', 'Cannot fill', null, cancel]],
  [
    'is left out for a new reason',
    {},
    log('invalid from_the_future'),
    ['open', 'excluded', 'open'],
    ['Open', 'Cannot fill', null, cancel],
  ],
  [
    'is being settled',
    {},
    { ...attempt(null), ...log('ready', 'executing') },
    ['open', 'executing', 'executing'],
    ['Open', 'In progress', null, cancel],
  ],
  [
    'is in flight while auctions leave it out',
    {},
    { ...attempt(null), ...log('ready', 'executing', 'filtered in_flight') },
    ['open', 'executing', 'open'],
    ['Open', 'In progress', null, cancel],
  ],
  [
    'waits after a failed settlement',
    {},
    { ...attempt('driver failed: reverted'), ...log('ready', 'executing', 'filtered settlement_failed') },
    ['open', 'settlement_failed', 'open'],
    ['Open', 'May not fill', null, cancel],
  ],
  [
    'is in the auctions again after a failed settlement',
    {},
    { ...inAuctions, ...attempt('timeout'), ...log('ready', 'executing', 'ready') },
    ['open', 'settlement_failed', 'active'],
    ['Open', 'May not fill', null, cancel],
  ],
  [
    'is filled in part',
    quarter,
    log('ready', 'executing', 'traded'),
    ['open', 'partially_filled', 'traded'],
    ['Partially filled', 'In progress', 'Filled so far', cancel],
  ],
  [
    'is filled in part and its owner has no more',
    quarter,
    log('ready', 'traded', 'invalid insufficient_balance'),
    ['open', 'insufficient_balance', 'traded'],
    ['Partially filled', 'The rest cannot fill', 'Filled so far', cancel],
  ],
  [
    'is filled in part and out of the market',
    quarter,
    log('ready', 'traded', 'filtered out_of_market'),
    ['open', 'out_of_market', 'traded'],
    ['Partially filled', 'The rest may not fill', 'Filled so far', cancel],
  ],
  [
    'is filled',
    whole,
    log('ready', 'executing', 'traded'),
    ['fulfilled', 'fulfilled', 'traded'],
    ['Filled', 'Filled', 'Filled', null],
  ],
  [
    'buys and is filled',
    { kind: 'buy', executedSellAmount: 900n, executedBuyAmount: 2000n },
    log('ready', 'executing', 'traded'),
    ['fulfilled', 'fulfilled', 'traded'],
    ['Filled', 'Filled', 'Filled', null],
  ],
  [
    'signed a fee and is filled',
    { feeAmount: 10n, executedSellAmount: 1010n, executedBuyAmount: 2100n, executedFeeAmount: 10n },
    log('ready', 'executing', 'traded'),
    ['fulfilled', 'fulfilled', 'traded'],
    ['Filled', 'Filled', 'Filled', null],
  ],
  [
    'was cancelled and filled all the same',
    { ...whole, ...cancelled },
    log('ready', 'cancelled', 'traded'),
    ['fulfilled', 'fulfilled', 'traded'],
    ['Filled', 'Filled', 'Filled', null],
  ],
  [
    'was filled and a reorganisation took the fill back',
    {},
    { ...inAuctions, ...log('ready', 'executing', 'undone', 'ready') },
    ['open', 'no_solution', 'active'],
    ['Open', 'May not fill', null, cancel],
  ],
  [
    'was cancelled by a signature',
    cancelled,
    log('ready', 'cancelled'),
    ['cancelled', 'cancelled_off_chain', 'cancelled'],
    ['Cancelled', 'Cancelled', null, null],
  ],
  [
    'was replaced',
    cancelled,
    {
      events: [{ label: 'cancelled', reason: null, createdAt: new Date((now - 5) * 1_000), data: { replacedBy: uid } }],
    },
    ['cancelled', 'replaced', 'cancelled'],
    ['Cancelled', 'Replaced', null, null],
  ],
  [
    'was invalidated on-chain',
    { invalidated: true },
    log('ready', 'cancelled'),
    ['cancelled', 'cancelled_on_chain', 'cancelled'],
    ['Cancelled', 'Cancelled', null, null],
  ],
  [
    'was filled in part and cancelled',
    { ...quarter, ...cancelled },
    log('ready', 'traded', 'cancelled'),
    ['cancelled', 'cancelled_off_chain', 'traded'],
    ['Cancelled, partially filled', 'Cancelled', 'Partially filled', null],
  ],
  [
    'was cancelled and then lapsed',
    { ...cancelled, ...expired },
    log('ready', 'cancelled'),
    ['cancelled', 'cancelled_off_chain', 'cancelled'],
    ['Cancelled', 'Cancelled', null, null],
  ],
  [
    'expired without an auction',
    expired,
    log('expired'),
    ['expired', 'no_auction', 'expired'],
    ['Expired', 'Not filled', null, null],
  ],
  [
    'expired without a solution',
    expired,
    log('ready', 'expired'),
    ['expired', 'no_solution', 'expired'],
    ['Expired', 'Not filled', null, null],
  ],
  [
    'expired without its signature on-chain',
    { ...presign, ...expired },
    log('invalid invalid_signature'),
    ['expired', 'invalid_signature', 'expired'],
    ['Expired', 'Not filled', null, null],
  ],
  [
    'expired for the user of a contract',
    { validTo: 0xffffffff, userValidTo: now - 1, onchainUser: solver, signingScheme: 'eip1271' },
    log('ready', 'expired'),
    ['expired', 'no_solution', 'expired'],
    ['Expired', 'Not filled', null, null],
  ],
  [
    'was filled in part and expired',
    { ...quarter, ...expired },
    log('ready', 'traded', 'filtered out_of_market'),
    ['expired', 'out_of_market', 'traded'],
    ['Expired, partially filled', 'Partially filled', 'Partially filled', null],
  ],
  [
    'is wrong as it was placed on-chain',
    { placementError: 'nonZeroFee', onchainUser: owner, signingScheme: 'eip1271' },
    log(),
    ['open', 'placement_error', 'scheduled'],
    ['Open', 'Cannot fill', null, follow],
  ],
  [
    'was refunded',
    { refundTransactionHash: '0xabcd', onchainUser: owner, signingScheme: 'eip1271' },
    log('ready'),
    ['open', 'refunded', 'active'],
    ['Open', 'Refunded', null, follow],
  ],
]

/** What the API returns for these facts. */
const respond = (order: StoredOrder, { findings, ...given }: Given) => {
  const facts: DebugFacts = {
    ...{ events: [], auctions: [], solutions: [], executions: [], attempts: [], feePolicies: [], trades: [] },
    ...{ membership: { first: null, last: null, isOpen: false }, currentAuction: undefined },
    ...given,
  }
  const newestEvent = facts.events.map(({ label }) => label).findLast(isProgressLabel)
  const live = { findings: isWaiting(order, facts, now) ? findings : undefined }
  if (!newestEvent) throw new Error('an order has events')
  return {
    order: JSON.parse(JSON.stringify(toOrderResponse(order, now))) as Order,
    report: JSON.parse(JSON.stringify(toDebugReport(order, facts, now, live))) as DebugReport,
    progress: { type: computeProgressType(newestEvent, order.executedBuyAmount > 0n, computeOrderStatus(order, now)) },
  }
}

describe('an order that', () => {
  test.each(rows)('%s', async (_, changes, facts, api, pages) => {
    const { order, report, progress } = respond({ ...openOrder, ...changes }, facts)
    expect([order.status, report.diagnosis.code, progress.type]).toEqual(api)
    const { status, result, action, isOpen } = describeState(order)
    const verdict = describeVerdict(order, report.diagnosis)
    expect([status, verdict.text, result, action]).toEqual(pages)

    // the pages agree with each other and with the API
    expect(report.order).toEqual(order)
    const { filled, of } = computeFilledShare(order)
    expect(order.status === 'fulfilled').toBe(filled === of)
    expect(verdict.tone === 'ok').toBe(order.status === 'fulfilled')
    expect(result === null).toBe(filled === 0n)
    expect(isOpen).toBe(action !== null)
    expect(/^partially filled$|, partially filled$/i.test(status)).toBe(filled > 0n && filled < of)

    // the trade page combines the posted order with its newest event
    const placed: Order = { ...order, status: 'open', executedSellAmount: '0', executedBuyAmount: '0' }
    const followed = applyEvent({ ...placed, executedSellAmountBeforeFees: '0', executedFeeAmount: '0' }, order, now)
    expect(describeState(followed)).toEqual(describeState(order))
    expect(computeFilledShare(followed)).toEqual({ filled, of })
  })

  test('covers every status and diagnosis of the API', () => {
    const all = ['presignaturePending', 'open', 'fulfilled', 'cancelled', 'expired']
    expect(new Set(rows.map(([, , , [status]]) => status))).toEqual(new Set(all))
    expect(new Set(rows.map(([, , , [, code]]) => code))).toEqual(new Set(diagnosisCodes))
    expect(new Set(rows.map(([, , , [, , progress]]) => progress))).toEqual(new Set(progressTypes))
  })
})
