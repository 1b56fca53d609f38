import { expect, test } from 'vitest'
import { createMethodGaps } from './methodGaps.ts'

const nodes = ['https://one.example', 'https://two.example']

test('a node that refused a method comes last for it, for ten minutes', () => {
  let now = 0
  const gaps = createMethodGaps(() => now)
  gaps.learn('https://one.example', 'eth_simulateV1')
  expect(gaps.sort(nodes, 'eth_simulateV1')).toEqual(nodes.toReversed())
  expect(gaps.sort(nodes, 'eth_call')).toEqual(nodes)
  now = 10 * 60_000
  expect(gaps.sort(nodes, 'eth_simulateV1')).toEqual(nodes)
})
