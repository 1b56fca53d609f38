import { expect, test } from 'vitest'
import type { Evaluation } from '#shared/strategies/evaluation.ts'
import { publicContracts } from '#shared/strategies/publicContracts.ts'
import { type PlacedPart, schedule } from './schedule.ts'

const block = { number: 100, hash: '0xaa', timestamp: new Date(1_000_000_000) } as const
const order = {
  owner: `0x${'11'.repeat(20)}`,
  hash: `0x${'22'.repeat(32)}`,
  failures: 0,
  unfilled: 0,
  judgedBlock: 99,
  handler: publicContracts.twap,
  staticInput: '0x',
  partUid: '0x02',
} as const
const part: PlacedPart = { uid: '0x01', validTo: 1_000_050, isNew: true }
const tradeable = { reason: 'partPlaced', order: {}, signature: '0x' } as never

test('the next part comes after the end of this one, at least a block later', () => {
  expect(schedule(order, tradeable, part, block)).toMatchObject({ nextBlock: 101, nextTime: 1_000_051, unfilled: 1 })
  const known = schedule({ ...order, unfilled: 1 }, tradeable, { ...part, isNew: false }, block)
  expect(known).toMatchObject({ unfilled: 1, verdict: { reason: 'partPlaced', uid: '0x01' } })
})

test('after more than 20 parts without a trade the next ones come ever later, at most a day, visibly', () => {
  const slow = (unfilled: number) => schedule({ ...order, unfilled }, tradeable, part, block)
  expect(slow(20)).toMatchObject({ nextTime: 1_000_600, unfilled: 21, verdict: { isSlowed: true } })
  expect([21, 22, 27, 28, 5_000].map((unfilled) => slow(unfilled).nextTime - 1_000_000)).toEqual([
    1_200, 2_400, 76_800, 86_400, 86_400,
  ])
})

test('hints of any size are obeyed, and those of the past mean the next block', () => {
  const hint = (untilBlock: bigint, untilTime: bigint) =>
    schedule(order, { reason: 'notYet', message: '', untilBlock, untilTime }, undefined, block)
  expect(hint(500n, 0n)).toMatchObject({ nextBlock: 500, nextTime: 0 })
  expect(hint(3n, 7n)).toMatchObject({ nextBlock: 101, nextTime: 7 })
  expect(hint(2n ** 255n, 2n ** 255n)).toMatchObject({ nextBlock: Number.MAX_SAFE_INTEGER, nextTime: 2 ** 32 - 1 })
})

test('failures are tried ever less often and end, a condition that does not hold is not a failure', () => {
  const waits = [0, 1, 5, 20].map(
    (failures) => schedule({ ...order, failures }, { reason: 'notValid' }, undefined, block).nextBlock - block.number,
  )
  expect(waits).toEqual([1, 2, 32, 64])
  expect(schedule({ ...order, failures: 20 }, { reason: 'failed' }, undefined, block).nextBlock).toBe(1_124)
  expect(schedule({ ...order, failures: 299 }, { reason: 'failed' }, undefined, block).state).toBe('ended')
  const waiting = schedule({ ...order, failures: 5 }, { reason: 'tryNextBlock' }, undefined, block)
  expect(waiting).toMatchObject({ nextBlock: 101, failures: 0, state: 'open' })
  expect(schedule(order, tradeable, { refusal: 'a signed fee' }, block)).toMatchObject({
    failures: 1,
    verdict: { reason: 'partRefused', message: 'a signed fee' },
  })
})

test('its beginning, its first part, its first slow part and its end are changes', () => {
  const change = (changes: Partial<Parameters<typeof schedule>[0]>, evaluation: Evaluation = tradeable) =>
    schedule({ ...order, ...changes }, evaluation, part, block).change
  expect(change({})).toBeNull()
  expect(change({}, { reason: 'failed' })).toBeNull()
  expect([change({ judgedBlock: null }), change({ partUid: null })]).toEqual([{ label: 'opened' }, { label: 'opened' }])
  expect([20, 21].map((unfilled) => change({ unfilled }))).toEqual([
    { label: 'slowed', isRepeated: true },
    { label: 'slowed', isRepeated: false },
  ])
  const ends = [{ reason: 'finished' }, { reason: 'removed' }, { reason: 'failed' }] as const
  expect(ends.map((evaluation) => change({ failures: 299, judgedBlock: null }, evaluation))).toEqual(
    ['finished', 'cancelled', 'failed'].map((reason) => ({ label: 'ended', reason, partCount: null })),
  )
})
