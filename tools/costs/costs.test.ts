import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toTable } from '../bench/toTable.ts'
import { computeCosts } from './computeCosts.ts'
import { computeStorage } from './computeStorage.ts'
import { usage, type Volume } from './costInputs.ts'
import { toCostTable, toStorageTable } from './toCostTable.ts'

const [small, middle, large] = usage.volumes
const sum = (volume: Volume, isLocal = false) =>
  Object.values(computeCosts(volume, { isLocal })).reduce((total, each) => total + each, 0)

test('100,000 orders a day with external solvers cost at most 2,500 dollars a month', () => {
  expect(sum(middle)).toBeLessThanOrEqual(2_500)
})

test('100,000 orders a day take at most 210 gigabytes in a year with the archive and without old notifications', () => {
  expect(computeStorage(middle, { isArchived: true, areNotificationsDeleted: true })).toBeLessThanOrEqual(210)
})

test('every part costs at least as much with more orders', () => {
  const [few, many] = [computeCosts(small, { isLocal: true }), computeCosts(large, { isLocal: true })]
  for (const [name, dollars] of Object.entries(few)) expect(many[name], name).toBeGreaterThanOrEqual(dollars)
})

test('what a plan includes costs nothing, and blocks cost the same at any volume', () => {
  const costs = computeCosts(small, { isLocal: false })
  // 10,000 messages a day, three operations each: 900,000 of the included million
  expect(costs.queues).toBe(0)
  expect(costs['nodes: blocks']).toBe(computeCosts(large, { isLocal: false })['nodes: blocks'])
  // (10 M reads + 100,000 quotes + 10,000 orders) · 30 days − 10 M, at 0.30 a million
  expect(costs['requests of Workers']).toBeCloseTo(((10_110_000 * 30 - 10e6) / 1e6) * 0.3, 6)
})

test('docs/operations.md has the tables of npm run costs', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8')
  const costs = toTable('US dollars per month', toCostTable())
  const storage = toTable('gigabytes in the database after a year', toStorageTable())
  for (const table of [costs, storage]) expect(text).toContain(table.replaceAll(/^(?=.)/gm, '    '))
})
