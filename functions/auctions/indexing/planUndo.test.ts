import { expect, test } from 'vitest'
import type { IndexedBlock } from '#schema/queries/chain/blocks.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import type { ChainBlock } from '../chain/findBlock.ts'
import { type CommonBlocks, findCommonBlocks } from './findCommonBlocks.ts'
import { planUndo } from './planUndo.ts'

const week = 7 * 86_400
/** 100,000 blocks are more than a week */
const secondsPerBlock = 8

/** Hashes differ after the fork. */
const toHash = (number: number, fork: number) =>
  `0x${(number > fork ? 'bb' : 'aa').padEnd(60, '0')}${number.toString(16).padStart(2, '0')}` as const
const toBlock = (number: number, fork = Number.POSITIVE_INFINITY): ChainBlock => ({
  number,
  hash: toHash(number, fork),
  parentHash: toHash(number - 1, fork),
  timestamp: new Date(number * secondsPerBlock * 1_000),
  logsBloom: '0x',
})
const toIndexed = (numbers: readonly number[]): IndexedBlock[] => numbers.map((number) => toBlock(number))
const range = (first: number, last: number, step = 1): number[] =>
  Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, i) => first + i * step)

/** The common blocks of an index and a chain that differs after block `fork`, and the numbers of requested headers. */
const compare = async (numbers: readonly number[], fork: number, headNumber = (numbers.at(-1) ?? 0) + 1) => {
  const requested: number[] = []
  const findHeader = async (number: number) => {
    requested.push(number)
    return toBlock(number, fork)
  }
  const head = toBlock(headNumber, fork)
  return { head, findHeader, requested, common: await findCommonBlocks(findHeader, toIndexed(numbers), head) }
}
const plan = async (numbers: readonly number[], fork: number, reindexFrom?: number) => {
  const { common, head, findHeader } = await compare(numbers, fork)
  return planUndo({ reindexFrom, nodes: [] }, common, head, findHeader)
}
const nodeOf = (fork: number) =>
  ({
    getBlock: async ({ blockNumber }: { blockNumber: bigint }) => {
      const block = toBlock(Number(blockNumber), fork)
      return { ...block, number: blockNumber, timestamp: 0n }
    },
  }) as unknown as ChainClient

const stored = [...range(0, 90_000, 4_096), ...range(90_176, 93_952, 64), ...range(94_000, 94_063)]

test('finds the newest common block of any fork, with gaps, and sends few requests for a short one', async () => {
  for (const fork of [94_062, 94_050, 94_000, 93_999, 93_952, 91_000, 90_176, 4_096, 4_095, 0]) {
    const { common, requested } = await compare(stored, fork)
    const kept = stored.filter((number) => number <= fork)
    expect([fork, common.retained.length, common.undoFrom]).toEqual([fork, kept.length, (kept.at(-1) ?? 0) + 1])
    expect(common.replaced.map(({ number }) => number)).toEqual(stored.filter((number) => number > fork))
    expect(requested.length).toBeLessThanOrEqual(fork > 94_060 ? 3 : 18)
  }
  const { common } = await compare(stored, -1)
  expect(common).toMatchObject({ retained: [], undoFrom: 0, deeperThanKnown: true } satisfies Partial<CommonBlocks>)
})

test('a short reorganisation is one step without any other node', async () => {
  expect(await plan(stored, 94_060)).toMatchObject({ from: 94_061, depth: 3, isPartial: false })
  expect(await plan(stored, 94_063)).toMatchObject({ from: null, parent: { number: 94_063 }, depth: 0 })
})

test('a long reorganisation is undone in steps, until its first block', async () => {
  let numbers = stored
  const steps: number[] = []
  for (;;) {
    const { from, depth, isPartial, parent } = await plan(numbers, 24_000)
    const newest = numbers.at(-1) ?? 0
    expect(depth).toBe(newest - (from ?? 0) + 1)
    // as far as checkpoints allow it
    if (newest > 90_700) expect(depth).toBeLessThanOrEqual(500)
    else expect(depth).toBeLessThanOrEqual(4_096 + 64)
    if (!isPartial) {
      expect(from).toBe(20_481)
      break
    }
    expect(parent?.number).toBe((from ?? 0) - 1)
    numbers = numbers.filter((number) => number < (from ?? 0))
    steps.push(numbers.at(-1) ?? 0)
    expect(numbers.at(-1)).toBe(parent?.number)
  }
  expect(steps.length).toBeGreaterThan(20)
})

test('a reorganisation of more than a week, or to before all stored blocks, needs a decision', async () => {
  const old = stored.map((number) => number + week)
  await expect(plan(old, week)).rejects.toThrow(/the newest indexed block on the chain of RPC_URL is 604800, of 1970/)
  await expect(plan(old, -1)).rejects.toThrow('none of the indexed blocks from 604800 on is on the chain of RPC_URL')
  expect(await plan(old, week, week + 1)).toMatchObject({ from: week + 1, parent: { number: week } })
  expect(await plan(old, week, 5)).toMatchObject({ from: 5, parent: undefined })
  expect(await plan(old, -1, 5)).toMatchObject({ from: 5, parent: undefined })
})

test('at least half of the nodes, and more than contradict, must have the blocks that replace more than 64', async () => {
  const { common, head, findHeader } = await compare(stored, 93_000)
  const ask = (...forks: number[]) =>
    planUndo({ reindexFrom: undefined, nodes: forks.map(nodeOf) }, common, head, findHeader)
  expect(await ask(93_000, 93_000)).toMatchObject({ isPartial: true })
  const other = Number.POSITIVE_INFINITY
  expect(await ask(93_000, 93_000, other)).toMatchObject({ isPartial: true })
  await expect(ask(93_000, other)).rejects.toThrow('1 of 2 nodes of RPC_URL confirm')
  await expect(ask(93_000, other)).rejects.toThrow('1 contradict')
  const silent = { getBlock: () => Promise.reject(new Error('silent')) } as unknown as ChainClient
  const planBeside = (...nodes: ChainClient[]) =>
    planUndo({ reindexFrom: undefined, nodes: [nodeOf(93_000), ...nodes] }, common, head, findHeader)
  expect(await planBeside(silent)).toMatchObject({ isPartial: true })
  await expect(planBeside(silent, silent)).rejects.toThrow('1 of 3 nodes of RPC_URL confirm')
  await expect(planBeside(silent, nodeOf(other))).rejects.toThrow('1 of 3 nodes')
  const short = await compare(stored, 94_050)
  expect(
    await planUndo({ reindexFrom: undefined, nodes: [silent, silent] }, short.common, short.head, short.findHeader),
  ).toMatchObject({
    from: 94_051,
  })
})
