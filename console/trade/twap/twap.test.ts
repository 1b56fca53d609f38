import { decodeFunctionData, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { networks } from '../../../shared/networks.ts'
import { publicContracts } from '../../../shared/strategies/publicContracts.ts'
import { readTwap } from '../../../shared/strategies/twap.ts'
import { sampleDraft } from '../../testing/sampleDraft.ts'
import { readTradeTerms } from '../draft/tradeTerms.ts'
import { appDataHash } from '../signing/buildOrder.ts'
import { buildTwap } from './buildTwap.ts'
import { buildTwapCalls } from './buildTwapCalls.ts'
import { checkDryRun } from './checkDryRun.ts'
import { hasTwaps } from './hasTwaps.ts'
import { readTwapTerms, toPartDraft } from './twapTerms.ts'

const owner = `0x${'5a'.repeat(20)}`
const network = networks.sepolia
const read = (query: Record<string, string>) => readTwapTerms(readTradeTerms({ type: 'twap', ...query }))
const terms = read({ parts: '3', every: '600' })
const signed = { sellAmount: 33n, buyAmount: 60n }
const create = () => {
  const built = buildTwap({ draft: sampleDraft(), terms, signed, owner })
  if (!built) throw new Error('no TWAP')
  return built
}

describe('readTwapTerms', () => {
  test('empty fields mean four parts, one each half an hour, with 3 % price protection', () => {
    expect(read({})).toMatchObject({ parts: 4, every: 1_800, protectionBps: 300 })
  })

  test.each(['1', '1001', '2.5', 'x', '-2'])('refuses %s parts', (parts) => {
    expect(read({ parts })).toMatchObject({ parts: undefined, faults: { parts: expect.stringMatching(/2 to 1,000/) } })
  })

  test('bounds the price protection and the interval', () => {
    expect(read({ protection: '60' })).toMatchObject({
      protectionBps: undefined,
      faults: { protection: 'At most 50 %.' },
    })
    expect(read({ every: '999999999' }).every).toBe(31_536_000)
  })
})

test('a part is a market order of an equal share, rounded down', () => {
  const draft = sampleDraft({ amount: 100n })
  expect(toPartDraft(draft, terms)).toMatchObject({ type: 'market', amount: 33n, slippageBps: 300, validFor: 600 })
  expect(toPartDraft(sampleDraft({ amount: 2n }), terms).amount).toBeUndefined()
  expect(toPartDraft(draft, read({ parts: '1' })).faults.slippage).toMatch(/2 to 1,000/)
})

test('a TWAP starts when it is mined, and pays its owner unless there is another recipient', () => {
  const { params } = create()
  expect(params.handler).toBe(publicContracts.twap)
  expect(readTwap(params.staticInput)).toMatchObject({
    ...{ partSellAmount: 33n, minPartLimit: 60n, n: 3n, t: 600n, t0: 0n, span: 0n, appData: appDataHash },
    receiver: expect.stringMatching(new RegExp(owner, 'i')),
  })
  const receiver = `0x${'6b'.repeat(20)}`
  const toOther = buildTwap({ draft: sampleDraft({ receiver }), terms, signed, owner })
  expect(toOther?.twap.receiver).toBe(receiver)
  expect(create().hash).not.toBe(create().hash)
})

describe('buildTwapCalls', () => {
  const abi = parseAbi([
    'struct Params { address handler; bytes32 salt; bytes staticInput; }',
    'function deposit() payable',
    'function approve(address spender, uint256 amount)',
    'function setFallbackHandler(address handler)',
    'function setDomainVerifier(bytes32 domainSeparator, address verifier)',
    'function createWithContext(Params params, address factory, bytes data, bool dispatch)',
  ])
  const done = { fallbackHandler: publicContracts.fallbackHandler, verifier: network.composableCow }
  const call = (changes: object) =>
    buildTwapCalls(
      { network, safe: owner, setUp: done, isWrapped: false, allowance: 0n, isReset: false, ...changes },
      create(),
    ).map(({ to, data, value }) => {
      const { functionName, args } = decodeFunctionData({ abi, data: data as `0x${string}` })
      return { to, functionName, args, ...(value ? { value } : {}) }
    })

  test('a Safe that has created one before only creates, once the relayer may move all parts', () => {
    expect(call({ allowance: 99n })).toMatchObject([{ to: network.composableCow, functionName: 'createWithContext' }])
  })

  test('a new Safe wraps, sets its verification up, and adds the missing approval, in this order', () => {
    const fresh = { fallbackHandler: `0x${'11'.repeat(20)}`, verifier: `0x${'00'.repeat(20)}` }
    const calls = call({ setUp: fresh, isWrapped: true, allowance: 98n, isReset: true })
    expect(calls.map(({ functionName }) => functionName)).toEqual([
      'deposit',
      'setFallbackHandler',
      'setDomainVerifier',
      'approve',
      'approve',
      'createWithContext',
    ])
    expect(calls).toMatchObject([
      { to: network.wrappedNative, value: 99n },
      ...[owner, owner, sampleDraft().sell?.address, sampleDraft().sell?.address, network.composableCow].map((to) => ({
        to,
      })),
    ])
    expect(calls[4]?.args?.[1]).toBe(98n + 99n)
  })
})

describe('checkDryRun', () => {
  const part = (changes: object = {}) => ({
    ...{ sellToken: sampleDraft().sell?.address, buyToken: sampleDraft().buy?.address, receiver: owner, kind: 'sell' },
    ...{ sellAmount: '33', buyAmount: '60', appData: appDataHash, validTo: 1, feeAmount: '0', ...changes },
  })
  const check = (outcome: object) =>
    checkDryRun(create(), { blockNumber: 1, message: null, next: null, part: null, ...outcome } as never)

  test('the first part with the displayed terms passes', () => {
    expect(check({ reason: 'partPlaced', part: part() })).toBeNull()
  })

  test('other terms and other outcomes are refused with their reason', () => {
    const differing = part({ buyAmount: '59', receiver: `0x${'77'.repeat(20)}` })
    expect(check({ reason: 'partPlaced', part: differing })).toMatch(/receiver, buyAmount/)
    expect(check({ reason: 'partRefused', message: 'a token that is not supported' })).toMatch(/not supported/)
    expect(check({ reason: 'notValid' })).toMatch(/dry run/)
  })
})

test('TWAPs need the public registry', () => {
  expect(hasTwaps(network)).toBe(true)
  expect(hasTwaps({ composableCow: `0x${'00'.repeat(20)}` })).toBe(false)
})
