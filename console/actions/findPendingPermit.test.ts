import { expect, test } from 'vitest'
import { sampleOrder } from '../testing/sampleOrder.ts'
import { findPendingPermit } from './findPendingPermit.ts'
import { buildPermitHook } from './permit.ts'

const [owner, other] = [`0x${'ab'.repeat(20)}`, `0x${'cd'.repeat(20)}`]
const [token, otherToken] = [`0x${'11'.repeat(20)}`, `0x${'22'.repeat(20)}`]
const spender = `0x${'33'.repeat(20)}`
const signature = `0x${'11'.repeat(64)}1b`
const uid = `0x${'99'.repeat(56)}`

const withHooks = (pre: unknown) => JSON.stringify({ metadata: { hooks: { pre } } })
const hookOf = (of: string, by: string) =>
  buildPermitHook(of, { owner: by, spender, value: 5n, deadline: 9 }, signature)
const pending = withHooks([hookOf(token, owner)])
const find = (changes: Parameters<typeof sampleOrder>[0]) =>
  findPendingPermit([sampleOrder({}), sampleOrder({ uid, ...changes })], { owner, token })

test('an open order brings the permit of its owner', () => {
  expect(find({ status: 'open', fullAppData: pending })).toBe(uid)
  expect(find({ status: 'presignaturePending', fullAppData: pending })).toBe(uid)
  const shouted = { ...hookOf(token, owner), target: token.toUpperCase().replace('0X', '0x') }
  expect(find({ status: 'open', fullAppData: withHooks([{}, shouted]) })).toBe(uid)
})

test.each([
  ['an ended order', { status: 'cancelled', fullAppData: pending }],
  ['an order with a fill, which has used it', { status: 'open', executedSellAmount: '1', fullAppData: pending }],
  ['of another token', { status: 'open', fullAppData: withHooks([hookOf(otherToken, owner)]) }],
  ['of another owner', { status: 'open', fullAppData: withHooks([hookOf(token, other)]) }],
  ['another call', { status: 'open', fullAppData: withHooks([{ target: token, callData: '0x12345678' }]) }],
  ['no document', { status: 'open', fullAppData: null }],
  ['any text', { status: 'open', fullAppData: '{"metadata":' }],
  ['hooks of another shape', { status: 'open', fullAppData: withHooks({ target: token }) }],
  ['hooks that are none', { status: 'open', fullAppData: withHooks([null, 1, 'x', { target: 1, callData: {} }]) }],
] as const)('%s: none', (_, changes) => {
  expect(find({ executedSellAmount: '0', ...changes })).toBeNull()
})
