import type { Address } from 'viem'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '#shared/jsonObject.ts'
import type { StoredOrder } from '#shared/orders/storedOrder.ts'
import { type Finding, fail, pass, skip } from '#shared/orders/verdict/finding.ts'
import { filledOrder } from '#test/helpers/database/filledOrder.ts'
import { computeDiagnosis } from './computeDiagnosis.ts'
import { diagnosisCodes, diagnosisSchema, toDiagnosisResponse } from './diagnosis.ts'
import type { DiagnosisFacts } from './diagnosisFacts.ts'
import { isWaiting } from './isWaiting.ts'

const now = 1_900_000_000
const { owner, sellToken, buyToken } = filledOrder
const solver = `0x${'5a'.repeat(20)}` as const
const wei = 10n ** 18n

type Event = DiagnosisFacts['events'][number]
type Label = Event['label']

/** Sells 1000 for at least 2000, one minute old. */
const openOrder: StoredOrder = {
  ...filledOrder,
  createdAt: new Date((now - 60) * 1_000),
  validTo: now + 600,
  executedSellAmount: 0n,
  executedBuyAmount: 0n,
  executedFee: 0n,
}
const expired = { validTo: now - 1 }

/** Events a second apart, the newest half a minute old; `label reason` names one with a reason. */
const events = (names: string[], data: JsonObject | null = null): Event[] =>
  ['created', ...names].map((name, index, all) => {
    const [label, reason = null] = name.split(' ')
    const createdAt = new Date((now - 30 - all.length + index) * 1_000)
    return { label: label as Label, reason, createdAt, data: index === all.length - 1 ? data : null }
  })

const noFacts: DiagnosisFacts = {
  events: [],
  solutions: [],
  attempts: [],
  trades: [],
  membership: { first: null, last: null, isOpen: false },
  currentAuction: undefined,
}
const inAuctions = { membership: { first: 3, last: 9, isOpen: true } }
const solution = {
  auctionId: 7,
  uid: 0,
  solver,
  isWinner: true,
  filteredOut: false,
  score: 1n,
  executedSell: 1n,
  executedBuy: 1n,
}
const attemptOf = (outcome: string | null, auctionId = 7) => ({
  auctionId,
  solutionUid: 0,
  solver,
  startedAt: new Date(0),
  endedAt: outcome === null ? null : new Date(1_000),
  startBlock: 100,
  endBlock: null,
  deadlineBlock: 105,
  outcome,
  blame: null,
  mismatch: null,
})
const diagnose = (changes: Partial<StoredOrder>, facts: Partial<DiagnosisFacts>) =>
  computeDiagnosis({ ...openOrder, ...changes }, { ...noFacts, ...facts }, now)

const shortfall = { available: '5', needed: '1000', token: sellToken }
const market = { limitPrice: '2', midPrice: '1.5', midGapBps: 3_334 }

/** changes of the order, facts, what the message says, code, severity */
const cases: [Partial<StoredOrder>, Partial<DiagnosisFacts>, string, string, string][] = [
  [{}, { events: events([]) }, 'waits for the next auction', 'waiting_for_auction', 'info'],
  [{}, {}, 'waits for the next auction', 'waiting_for_auction', 'info'],
  [
    { validFrom: now + 50 },
    { events: events([]) },
    'enters the auctions at 2030-03-17T17:47:30.000Z',
    'not_yet_valid',
    'info',
  ],
  [{ validTo: now + 30 }, { events: events([]) }, 'too little time', 'expires_too_soon', 'error'],
  [
    { validTo: 0xffffffff, userValidTo: now + 30 },
    { events: events([]) },
    'too little time',
    'expires_too_soon',
    'error',
  ],
  [
    { signingScheme: 'presign', signature: '0x' },
    { events: events(['invalid invalid_signature'], { signingScheme: 'presign' }) },
    'missing on-chain signature of its owner',
    'presignature_pending',
    'warning',
  ],
  [
    {},
    { events: events(['ready', 'invalid insufficient_balance'], shortfall) },
    `not in the auctions because of too small a balance of its owner: 5 of 1000 atoms of ${sellToken}.`,
    'insufficient_balance',
    'error',
  ],
  [
    {},
    { events: events(['invalid insufficient_allowance'], { ...shortfall, spender: solver }) },
    `approval of its owner for the vault relayer: 5 of 1000 atoms of ${sellToken}.`,
    'insufficient_allowance',
    'error',
  ],
  [
    {},
    { events: events(['invalid insufficient_balance']) },
    'a balance of its owner.',
    'insufficient_balance',
    'error',
  ],
  [
    { signingScheme: 'eip1271' },
    { events: events(['invalid invalid_signature'], { signingScheme: 'eip1271', contract: owner }) },
    `its owner ${owner}, a contract that no longer accepts`,
    'invalid_signature',
    'error',
  ],
  [
    {},
    { events: events(['filtered missing_native_price'], { token: buyToken }) },
    buyToken,
    'missing_native_price',
    'warning',
  ],
  [{}, { events: events(['invalid banned_user'], { account: owner }) }, `a ban on ${owner}`, 'banned_user', 'error'],
  [{}, { events: events(['invalid unsupported_token'], { token: buyToken }) }, buyToken, 'unsupported_token', 'error'],
  [{}, { events: events(['ready', 'filtered auction_full']) }, 'a full auction', 'auction_full', 'warning'],
  [
    {},
    { events: events(['filtered dust_order'], { available: '1' }) },
    'less than one atom with 1',
    'dust_order',
    'error',
  ],
  [
    {},
    { events: events(['invalid hook_reverts'], { target: solver, revert: 'expired' }) },
    `a pre-hook that reverts at ${solver}: expired.`,
    'hook_reverts',
    'error',
  ],
  [
    {},
    { events: events(['filtered out_of_market'], market) },
    "its limit of 2 buy token atoms per sell token atom, 33.34 % better than the market's 1.5 buy token atoms per sell token atom.",
    'out_of_market',
    'warning',
  ],
  [{}, { events: events(['invalid from_the_future']) }, 'the reason "from the future"', 'excluded', 'error'],
  [
    {},
    {
      ...inAuctions,
      events: events(['ready']),
      currentAuction: { id: 9, sellTokenPrice: `${3n * wei}`, buyTokenPrice: `${2n * wei}` },
    },
    "in the auctions and not filled because of its limit of 2 buy token atoms per sell token atom, 33.34 % better than the market's 1.5 buy token atoms per sell token atom.",
    'out_of_market',
    'warning',
  ],
  [{}, { ...inAuctions, events: events(['ready'], market) }, '33.34 %', 'out_of_market', 'warning'],
  [
    {},
    {
      ...inAuctions,
      events: events(['ready'], market),
      currentAuction: { id: 9, sellTokenPrice: `${3n * wei}`, buyTokenPrice: `${wei}` },
    },
    'no solver proposing a solution in the auctions 3 to 9.',
    'no_solution',
    'warning',
  ],
  [
    {},
    {
      ...inAuctions,
      events: [...events([]), { label: 'ready', reason: null, data: null, createdAt: new Date(now * 1_000) }],
    },
    'in auction 9, and solvers',
    'in_auction',
    'info',
  ],
  [
    {},
    { ...inAuctions, events: events(['ready', 'considered', 'ready']), solutions: [{ ...solution, isWinner: false }] },
    'better in auction 7',
    'outbid',
    'warning',
  ],
  [{}, { events: events(['ready', 'considered']), solutions: [solution] }, 'auction 7', 'outbid', 'warning'],
  [
    {},
    { events: events(['ready', 'executing']), solutions: [solution], attempts: [attemptOf(null)] },
    `The solver ${solver} won auction 7 and settles the order on-chain up to block 105.`,
    'executing',
    'info',
  ],
  [{}, { events: events(['filtered in_flight']) }, 'a settlement that is on its way', 'executing', 'info'],
  [
    {},
    { events: events(['ready', 'executing']), solutions: [solution], attempts: [attemptOf('timeout')] },
    'failed settlements (1), the last one in auction 7: it was not settled in time.',
    'settlement_failed',
    'warning',
  ],
  [
    {},
    {
      events: events(['ready', 'executing', 'filtered settlement_failed'], {
        failures: 2,
        lastBlock: 121,
        nextBlock: 123,
      }),
      solutions: [solution],
      attempts: [attemptOf('driver failed: FailedToSubmit: reverted')],
    },
    'Settlement reverted twice; next attempt at block 123.',
    'settlement_failed',
    'warning',
  ],
  [
    {},
    {
      ...inAuctions,
      events: events(['ready', 'executing', 'filtered settlement_failed', 'ready']),
      solutions: [solution],
      attempts: [attemptOf('driver failed: FailedToSubmit: reverted')],
    },
    'failed settlements (1), the last one in auction 7: its solver reported a failure.',
    'settlement_failed',
    'warning',
  ],
  [
    expired,
    {
      events: events(['ready', 'executing', 'filtered settlement_failed'], {
        failures: 3,
        lastBlock: 9,
        nextBlock: 13,
      }),
    },
    'unfilled, because of failed settlements (3).',
    'settlement_failed',
    'error',
  ],
  [
    {},
    {
      ...inAuctions,
      events: events(['ready', 'executing', 'ready']),
      solutions: [{ ...solution, auctionId: 6 }, solution],
      attempts: [
        attemptOf('timeout', 6),
        attemptOf('driver failed: Reverted: no'),
        { ...attemptOf(null), solutionUid: 1 },
      ],
    },
    'failed settlements (2), the last one in auction 7: its solver reported a failure.',
    'settlement_failed',
    'warning',
  ],
  [
    { partiallyFillable: true, executedSellAmount: 250n, executedBuyAmount: 500n },
    { events: events(['ready', 'executing', 'traded']) },
    'The order is 25 % filled, and the rest waits',
    'partially_filled',
    'info',
  ],
  [{ executedSellAmount: 1000n }, { events: events(['traded']) }, 'is filled: 1000 atoms', 'fulfilled', 'ok'],
  [{ cancelledAt: new Date(0) }, { events: events(['cancelled']) }, 'by a signature', 'cancelled_off_chain', 'ok'],
  [{ invalidated: true }, { events: events(['cancelled']) }, 'on-chain, by a transaction', 'cancelled_on_chain', 'ok'],
  [
    { invalidated: true, onchainUser: solver },
    { events: events(['cancelled'], { by: owner }) },
    `The contract ${owner} that placed the order for ${solver} cancelled it`,
    'cancelled_on_chain',
    'ok',
  ],
  [
    { invalidated: true, onchainUser: solver },
    { events: events(['cancelled'], { by: buyToken }) },
    `The contract ${buyToken} that placed`,
    'cancelled_on_chain',
    'ok',
  ],
  [
    { invalidated: true, onchainUser: owner },
    { events: events(['cancelled'], { by: owner }) },
    'on-chain, by a transaction',
    'cancelled_on_chain',
    'ok',
  ],
  [
    { cancelledAt: new Date(0) },
    { events: events(['ready', 'cancelled'], { replacedBy: '0xab' }) },
    'replaced the order by the order 0xab',
    'replaced',
    'ok',
  ],
  [
    { placementError: 'nonZeroFee' },
    { events: events([]) },
    'placement on-chain: it signs a fee',
    'placement_error',
    'error',
  ],
  [{ refundTransactionHash: '0xabcd' }, { events: events(['ready']) }, 'in transaction 0xabcd', 'refunded', 'ok'],
  [
    { validTo: 0xffffffff, userValidTo: now - 1 },
    { events: events(['ready']) },
    'expired at 2030-',
    'no_solution',
    'error',
  ],
  [expired, { events: events([]) }, 'unfilled, because of no auction being held', 'no_auction', 'error'],
  [
    expired,
    { events: events(['invalid insufficient_balance'], shortfall) },
    `The order expired at 2030-03-17T17:46:39.000Z, unfilled, because of too small a balance of its owner: 5 of 1000 atoms of ${sellToken}.`,
    'insufficient_balance',
    'error',
  ],
  [
    { ...expired, signingScheme: 'presign', signature: '0x' },
    { events: events(['invalid invalid_signature'], { signingScheme: 'presign' }) },
    'because of the missing on-chain signature',
    'invalid_signature',
    'error',
  ],
  [
    { ...expired, partiallyFillable: true, executedSellAmount: 333n },
    { events: events(['ready', 'traded', 'filtered out_of_market'], market) },
    '33.3 % filled, because of its limit of 2',
    'out_of_market',
    'error',
  ],
  [expired, { events: events(['ready'], market) }, '33.34 %', 'out_of_market', 'error'],
  [
    { ...expired, createdAt: new Date((now - 2) * 1_000) },
    { ...inAuctions, events: [{ label: 'ready', reason: null, data: null, createdAt: new Date((now - 2) * 1_000) }] },
    'no solver proposing a solution in the auctions 3 to 9',
    'no_solution',
    'error',
  ],
  [
    expired,
    { events: events(['ready', 'executing']), solutions: [solution], attempts: [attemptOf('driver failed: X: y')] },
    'its solver reported a failure',
    'settlement_failed',
    'error',
  ],
]

const tokens = (token: Address) =>
  ({ [sellToken]: { decimals: 18, symbol: 'WETH' }, [buyToken]: { decimals: 18, symbol: 'DAI' } })[token]
const offer = { limitPrice: '3000', marketPrice: '2989.75', gapBps: 35, networkFee: '159' }
const amounts = { sellToken, buyToken }

/** The verdict of now on an order that auctions have; what the message says, and the code. */
const live: [Finding[], string, string][] = [
  [
    [fail('price', 'OutOfMarket', offer, true)],
    'its limit of 3,000 DAI per WETH, 0.35 % better than the best offer after fees, 2,989.75 DAI per WETH.',
    'out_of_market',
  ],
  [[fail('price', 'NoLiquidity', amounts, true)], 'missing liquidity', 'no_route'],
  [
    [
      fail(
        'price',
        'SellAmountDoesNotCoverFee',
        { sellAmount: '1000', minSellAmount: `${wei}`, token: sellToken },
        true,
      ),
    ],
    'it would have to sell at least 1 WETH',
    'too_small',
  ],
  [
    [fail('transferability', 'FeeOnTransfer', { token: sellToken, amount: `${wei}`, received: `${wei / 2n}` }, true)],
    'the token WETH, which loses amounts in a transfer: 0.5 of 1 WETH arrive',
    'transfer_fails',
  ],
  [
    [
      fail(
        'transferability',
        'TransferSimulationFailed',
        { token: sellToken, amount: '1', revert: 'paused\n\u202e' },
        true,
      ),
    ],
    'the token WETH, whose transfer from the owner fails: paused.',
    'transfer_fails',
  ],
  [
    [fail('payout', 'PayoutFails', { token: buyToken, receiver: solver, revert: 'no ether' }, true)],
    `to ${solver}, which fails: no ether.`,
    'payout_fails',
  ],
  [
    [fail('solvers', 'UnsupportedBySolvers', { required: ['wrappers', 'signedFees'] }, true)],
    'its need for a required wrapper and a signed fee, which no solver of this deployment supports.',
    'unsupported_by_solvers',
  ],
  [
    [fail('price', 'SettlementReverts', { sellToken, buyToken, revert: 'paused' }, true)],
    'its settlement, which reverts in a simulation on the newest block: paused.',
    'settlement_reverts',
  ],
  [
    [fail('tokens', 'Paused', { subject: 'network', reason: 'exploit reported' }, true)],
    'a pause of the operator: exploit reported',
    'paused',
  ],
  [[fail('hooks', 'TooMuchGas', { gas: '9', maxGas: '8' }, true)], '9 of at most 8 units', 'too_much_gas'],
  [
    [fail('balance', 'InsufficientBalance', { available: '0', needed: `${1_000n * wei}`, token: sellToken }, true)],
    'too small a balance of its owner: 0 of 1,000 WETH.',
    'insufficient_balance',
  ],
  [[pass('price', { ...offer, gapBps: -10 })], 'no solver proposing a solution', 'no_solution'],
]

describe('an order that auctions have and that is not filled', () => {
  const facts = { ...noFacts, ...inAuctions, events: events(['ready'], market) }

  test.each(live)('%# is diagnosed by the current verdict: %s', (findings, message, code) => {
    const diagnosis = computeDiagnosis(openOrder, facts, now, { findings, find: tokens })
    expect(diagnosis).toMatchObject({ code, message: expect.stringContaining(message) })
    expect(diagnosis.message).not.toMatch(/undefined|null|[A-Z][a-z]+[A-Z]|\w_\w/)
    expect(diagnosis.data.auctions).toEqual({ first: 3, last: 9 })
  })

  test('never has to move by less than nothing', () => {
    const near = computeDiagnosis(openOrder, facts, now, { findings: [pass('price', { ...offer, gapBps: -28 })] })
    expect([near.code, near.data.gapBps]).toEqual(['no_solution', -28])
  })

  test('names hooks that fail in a simulation of its trade', () => {
    const failing = { phase: 'post', hook: 1, target: solver, outcome: 'reverted' }
    const outcomes = [{ ...failing, hook: 0, outcome: 'succeeded' }, failing]
    const findings = [skip('hooks', 'HookReverts', { outcomes }), pass('price', { ...offer, gapBps: -10 })]
    const diagnosis = computeDiagnosis(openOrder, facts, now, { findings })
    expect(diagnosis).toMatchObject({ code: 'no_solution', data: { failingHooks: [failing] } })
    expect(diagnosis.message).toContain('. In a simulation of its settlement hook 2 after the trade reverts; the trade')
    const alone = computeDiagnosis(openOrder, facts, now, {
      findings: [skip('hooks', 'HookReverts', { hook: 0, target: solver })],
    })
    expect(alone.message).toContain('hook 1 before the trade reverts')
    const filled = { ...noFacts, events: events(['traded'], { hooks: outcomes }) }
    const diagnosed = computeDiagnosis(filledOrder, filled, now)
    expect(diagnosed).toMatchObject({ code: 'fulfilled', data: { failingHooks: [failing] } })
    expect(diagnosed.message).toContain('. In its settlement hook 2 after the trade reverts')
  })

  test('names the drivers that refuse to read it', () => {
    const refusedBy = [{ solver: 'public', reason: 'MalformedRequest: missing field' }]
    const refused = { ...facts, events: events(['ready'], { ...market, refusedBy }) }
    const diagnosis = computeDiagnosis(openOrder, refused, now, {
      findings: [pass('price', { ...offer, gapBps: -10 })],
    })
    expect(diagnosis).toMatchObject({ code: 'no_solution', data: { refusedBy } })
    expect(diagnosis.message).toContain('the drivers of public refuse to read it')
    expect(diagnosis.suggestion).toContain('app data')
  })

  test('requests a verdict only then', () => {
    expect(isWaiting(openOrder, facts, now)).toBe(true)
    expect(isWaiting(openOrder, facts, now - 20)).toBe(false)
    expect(isWaiting({ ...openOrder, ...expired }, facts, now)).toBe(false)
    expect(isWaiting(openOrder, { ...facts, events: events(['filtered in_flight']) }, now)).toBe(false)
  })
})

describe('computeDiagnosis', () => {
  const rows = cases.map(([changes, facts, message, code, severity]) => ({ changes, facts, message, code, severity }))

  test.each(rows)('$code: $message', ({ changes, facts, message, code, severity }) => {
    const diagnosis = diagnose(changes, facts)
    expect(diagnosis).toMatchObject({ code, severity, message: expect.stringContaining(message) })
    expect(diagnosis.message).not.toMatch(/undefined|null/)
    expect(diagnosisSchema.safeParse(toDiagnosisResponse(diagnosis)).error).toBeUndefined()
  })

  test('never suggests waiting for an expired order', () => {
    const suggestions = cases.map(([changes, facts]) => diagnose({ ...changes, ...expired }, facts).suggestion)
    expect(suggestions.filter((suggestion) => suggestion && /wait|returns|automatically/i.test(suggestion))).toEqual([])
    expect(diagnose(expired, { ...inAuctions, events: events(['ready'], market) }).suggestion).toMatch(
      /^Place a new order/,
    )
  })

  test('gives no advice about a limit that is met', () => {
    const findings = [pass('price', { ...offer, gapBps: -10 })]
    const facts = { ...noFacts, ...inAuctions, events: events(['ready'], market) }
    const { suggestion } = computeDiagnosis(openOrder, facts, now, { findings })
    expect(suggestion).toBe('Wait: the limit is met, and a simulation of its settlement shows no obstacle.')
  })

  test('an owner without a contract is named', () => {
    const data = { signingScheme: 'eip1271', contract: owner, hasContract: false }
    const { message } = diagnose({}, { events: events(['invalid invalid_signature'], data) })
    expect(message).toContain(`its owner ${owner}, an address without a contract`)
  })

  test('has a case for every code', () => {
    const codes = [...cases.map(([, , , code]) => code), ...live.map(([, , code]) => code)]
    expect(new Set(codes)).toEqual(new Set(diagnosisCodes))
  })

  test('includes the underlying numbers', () => {
    const { data } = diagnose({}, { ...inAuctions, events: events(['ready'], market) })
    expect(data).toEqual({ ...market, auctions: { first: 3, last: 9 } })
    const missing = diagnose({}, { events: events(['invalid insufficient_balance'], shortfall) })
    expect(missing).toMatchObject({
      data: shortfall,
      suggestion: expect.stringContaining(`another 995 atoms of ${sellToken}`),
    })
  })
})

test.each([
  ['runs', [attemptOf('timeout'), attemptOf(null)]],
  ['succeeded', [attemptOf('timeout'), attemptOf('success')]],
  ['does not exist', []],
])('an order whose newest attempt %s has no failed settlement', (_, attempts) => {
  const facts = { ...inAuctions, events: events(['ready', 'executing', 'ready']), solutions: [solution], attempts }
  expect(diagnose({}, facts).code).not.toBe('settlement_failed')
})

test('since says when it began', () => {
  const list = events(['ready', 'filtered missing_native_price'], { token: buyToken })
  expect(diagnose({}, { events: list }).since).toEqual(list.at(-1)?.createdAt)
  expect(diagnose({ cancelledAt: new Date(5) }, { events: events(['cancelled']) }).since).toEqual(new Date(5))
})
