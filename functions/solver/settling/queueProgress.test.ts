import { expect, test } from 'vitest'
import { openSql } from '#test/helpers/solvers/solverMarket.ts'
import { computeStuckSeconds, describeStuckQueue, openQueueProgress } from './queueProgress.ts'

test('a queue is stuck when its first submission stays the first for twenty blocks, or a minute', () => {
  expect([1, 2, 5, 12].map(computeStuckSeconds)).toEqual([60, 60, 100, 240])
  const sql = openSql()
  const progress = openQueueProgress(sql)
  progress.note(7, 1_000)
  progress.hinder('the node refuses nonce 4: insufficient funds')
  progress.note(7, 200_000)
  const fault = () => describeStuckQueue(openQueueProgress(sql).read(), 242_000, 12)
  expect(describeStuckQueue(progress.read(), 241_000, 12)).toBeUndefined()
  expect(fault()).toBe('no progress for 241 seconds: the node refuses nonce 4: insufficient funds')
  progress.note(8, 241_500)
  expect(fault()).toBeUndefined()
})

test('counts reverts over restarts', () => {
  const sql = openSql()
  expect(openQueueProgress(sql).countRevert()).toBe(1)
  expect(openQueueProgress(sql).countRevert()).toBe(2)
})

test('an empty queue is not stuck', () => {
  const progress = openQueueProgress(openSql())
  expect(describeStuckQueue(progress.read(), Number.MAX_SAFE_INTEGER, 1)).toBeUndefined()
  progress.note(3, 0)
  progress.note(null, 5)
  expect(describeStuckQueue(progress.read(), Number.MAX_SAFE_INTEGER, 1)).toBeUndefined()
})
