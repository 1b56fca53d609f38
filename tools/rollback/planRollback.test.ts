import { expect, test } from 'vitest'
import { planRollback } from './planRollback.ts'
import type { History, Version } from './readHistory.ts'

/** A version of release n, created at the time n. */
const v = (n: number): Version => ({ id: `id-${n}`, message: `v${n}`, createdAt: `2026-11-0${n}T00:00:00Z` })
const worker = (name: string, active: number, ...earlier: number[]) => ({
  name,
  history: { active: v(active), earlier: earlier.map(v) } satisfies History,
})
const plan = (...histories: { name: string; history: History | undefined }[]) => {
  const planned = planRollback(histories)
  return planned && [planned.release, ...planned.workers.map(({ former, reason }) => former?.message ?? reason)]
}

test('each Worker of the newest release returns to its release before, however old that is', () => {
  expect(plan(worker('a', 3, 2, 1), worker('b', 3, 1))).toEqual(['v3', 'v2', 'v1'])
})

test('a Worker that an interrupted deployment or rollback has left on an older release stays there', () => {
  expect(plan(worker('a', 3, 2), worker('b', 2, 1))).toEqual(['v3', 'v2', 'v2'])
})

test('a second rollback goes one release further, not forward again', () => {
  expect(plan(worker('a', 2, 1), worker('b', 2, 1))).toEqual(['v2', 'v1', 'v1'])
})

test('a release that was deployed twice counts once', () => {
  const repeated = { ...v(3), id: 'repeated', createdAt: '2026-11-04T00:00:00Z' }
  expect(plan({ name: 'a', history: { active: repeated, earlier: [v(3), v(2)] } })).toEqual(['v3', 'v2'])
})

test('a new Worker has no earlier version, and one that is not deployed stays so', () => {
  expect(plan(worker('a', 2), { name: 'b', history: undefined })).toEqual([
    'v2',
    'it has no earlier version',
    'not deployed',
  ])
  expect(plan({ name: 'b', history: undefined })).toBeUndefined()
})
