import { expect, test } from 'vitest'
import { findLossGuard } from './findLossGuard.ts'

const accepted = { terms: 'a', share: 0.1 }

test.each([
  ['an order without a warning is signed at once', 0, 'a', { accepted: null, isUncapped: false }, 'none'],
  ['a loss needs a step of its own', 0.06, 'a', { accepted: null, isUncapped: false }, 'accept'],
  ['an accepted loss is signed', 0.1, 'a', { accepted, isUncapped: false }, 'none'],
  ['it may move by a percent', 0.109, 'a', { accepted, isUncapped: false }, 'none'],
  ['a larger one is accepted again', 0.12, 'a', { accepted, isUncapped: false }, 'accept'],
  ['so is one of other terms', 0.1, 'b', { accepted, isUncapped: false }, 'accept'],
  ['a loss above the cap is refused', 0.45, 'a', { accepted: { ...accepted, share: 1 }, isUncapped: false }, 'refuse'],
  ['the settings lift the cap, not the step', 0.45, 'a', { accepted: null, isUncapped: true }, 'accept'],
] as const)('%s', (_, share, terms, state, expected) => {
  expect(findLossGuard(share, terms, state)).toBe(expected)
})
