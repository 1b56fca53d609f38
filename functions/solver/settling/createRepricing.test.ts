import type { Address } from 'viem'
import { expect, test } from 'vitest'
import type { ReadAt } from '../pools/readAt.ts'
import { createRepricing } from './createRepricing.ts'
import type { Submission } from './submission.ts'

const [poolA, poolB]: Address[] = ['0x0a', '0x0b']

/** Submissions by id, the pools that each trades with, and the reads so far. */
const start = (poolsOf: Record<number, (Address | undefined)[]>, at: ReadAt = {}) => {
  const reads: [number, ReadAt][] = []
  const submissions = Object.keys(poolsOf).map((id) => ({ solutionId: Number(id) }) as Submission)
  const reprice = async ({ solutionId }: Submission, state: ReadAt) => {
    reads.push([solutionId, state])
    const pools = poolsOf[solutionId]?.filter((pool) => pool !== undefined)
    const count = reads.filter(([id]) => id === solutionId).length
    return pools && ({ calldata: `0x0${solutionId}0${count}`, pools } as const)
  }
  return { reads, submissions, repricing: createRepricing({ reprice }, submissions, at) }
}
const pending = { blockTag: 'pending' } as const

test('settlements with different pools are computed at the same time and once', async () => {
  const { reads, submissions, repricing } = start({ 1: [poolA], 2: [poolB] })
  expect(reads).toEqual([
    [1, {}],
    [2, {}],
  ])
  for (const next of submissions) {
    const data = await repricing.find(next)
    expect(data).toBe(`0x0${next.solutionId}01`)
    await repricing.noteSent(next, data ?? '0x')
  }
  expect(reads).toHaveLength(2)
})

test('a settlement is computed again behind one with a pool of its own', async () => {
  const { reads, submissions, repricing } = start({ 1: [poolA], 2: [poolB, poolA], 3: [poolB] }, pending)
  for (const next of submissions) await repricing.noteSent(next, (await repricing.find(next)) ?? '0x')
  expect(reads.slice(3)).toEqual([
    [2, pending],
    [3, pending],
  ])
})

test('a settlement that was not sent changes no pool', async () => {
  const { reads, submissions, repricing } = start({ 1: [poolA], 2: [poolA] })
  for (const next of submissions) await repricing.find(next)
  expect(reads).toHaveLength(2)
})

test('behind a settlement that was sent as proposed, with unknown pools, all others are computed again', async () => {
  const { reads, submissions, repricing } = start({ 1: [poolA], 2: [poolB] })
  const [first, second] = submissions as [Submission, Submission]
  await repricing.noteSent(first, '0xffff')
  expect(await repricing.find(second)).toBe('0x0202')
  expect(reads.at(-1)).toEqual([2, pending])
})

test('pools that cannot be read leave the proposed calldata', async () => {
  const submission = { solutionId: 1 } as Submission
  const repricing = createRepricing({ reprice: () => Promise.reject(new Error('no node')) }, [submission], {})
  expect(await repricing.find(submission)).toBeUndefined()
})
