import { expect, test } from 'vitest'
import { ok, wrong } from './finding.ts'
import { joinFindings } from './joinFindings.ts'

const shared = wrong('setting API_KEYS', 'malformed', 'fix .env.shared')
const behind = wrong('head', 'block 7 is 80 s old', 'use another node')

test('a finding of all networks is one, and another one names its network', () => {
  const found = new Map([
    ['base', [shared, ok('head', 'block 9, 1 s old')]],
    ['sepolia', [shared, behind]],
  ] as const)
  expect(joinFindings(found).map(({ name }) => name)).toEqual(['setting API_KEYS', 'base, head', 'sepolia, head'])
  expect(joinFindings(new Map([['base', [shared, behind]]]))).toEqual([shared, behind])
})
