import { expect, test } from 'vitest'
import { collectCsv } from './collectCsv.ts'

/** Pages of two numbers each, from 1. */
const setUp = (count: number) => {
  const requested: (string | undefined)[] = []
  const progress: number[] = []
  const source = {
    header: ['n'],
    loadPage: async (cursor: string | undefined) => {
      requested.push(cursor)
      const from = Number(cursor ?? 0)
      const rows = [from + 1, from + 2].filter((n) => n <= count)
      return { rows, next: from + 2 < count ? String(from + 2) : null }
    },
    toCells: async (rows: readonly number[]) => rows.map((n) => [String(n)]),
  }
  return { requested, progress, collect: (most?: number) => collectCsv(source, (rows) => progress.push(rows), most) }
}

test('reads every page once, in order', async () => {
  const { collect, requested, progress } = setUp(5)
  const { parts, ...rest } = await collect()
  expect(parts.join('')).toBe('n\r\n1\r\n2\r\n3\r\n4\r\n5\r\n')
  expect(rest).toEqual({ rows: 5, isComplete: true })
  expect(requested).toEqual([undefined, '2', '4'])
  expect(progress).toEqual([2, 4, 5])
})

test.each([3, 4])('stops at its bound of %i rows', async (most) => {
  const { collect, requested } = setUp(6)
  expect(await collect(most)).toMatchObject({ rows: most, isComplete: false })
  expect(requested).toEqual([undefined, '2'])
})

test('a file is complete when its list ends at the bound', async () => {
  expect(await setUp(4).collect(4)).toMatchObject({ rows: 4, isComplete: true })
})

test('an empty list is a header', async () => {
  expect(await setUp(0).collect()).toEqual({ parts: ['n\r\n', ''], rows: 0, isComplete: true })
})
