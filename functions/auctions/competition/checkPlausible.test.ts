import type { Address, Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import type { SolutionOrder } from '#shared/solvers/driverApi.ts'
import { checkPlausible, type PlausibilityRules } from './checkPlausible.ts'

const a: Address = `0x${'0a'.repeat(20)}`
const b: Address = `0x${'0b'.repeat(20)}`
const uid: Hex = `0x${'11'.repeat(56)}`
/** By the prices an atom of a is worth three of b. */
const prices = new Map([
  [a, 3_000n],
  [b, 1_000n],
])
const quotes = new Map([[uid, { sellAmount: 1_000n, buyAmount: 3_000n }]])
const known = { prices, quotes: new Map(), orders: new Map([[uid, {}]]), factor: 10 }

const check =
  (executed: Partial<SolutionOrder>, rules: Partial<PlausibilityRules> = {}) =>
  () =>
    checkPlausible(
      new Map([
        [
          uid,
          {
            ...({ side: 'sell', sellToken: a, buyToken: b, limitSell: 1_000n, limitBuy: 1n } as const),
            ...{ executedSell: 1_000n, executedBuy: 3_000n, ...executed },
          },
        ],
      ]),
      { ...known, ...rules },
    )

describe('checkPlausible', () => {
  test('accepts a rate up to the factor above the native prices, and rejects a higher one with both rates', () => {
    expect(check({ executedBuy: 30_000n })).not.toThrow()
    expect(check({ executedBuy: 30_001n })).toThrow(
      'buys 30001 for 1000, more than 10 times the known rate of 3000 for 1000',
    )
  })

  test('rejects a buy order that sells far too little', () => {
    expect(check({ side: 'buy', executedSell: 100n })).not.toThrow()
    expect(check({ side: 'buy', executedSell: 99n })).toThrow('more than 10 times')
  })

  test('scales the quote to the executed part', () => {
    const only = { prices: new Map(), quotes }
    expect(check({ executedSell: 100n, executedBuy: 3_000n }, only)).not.toThrow()
    expect(check({ executedSell: 100n, executedBuy: 3_001n }, only)).toThrow('more than 10 times')
  })

  test('accepts everything of an order with neither prices nor a quote', () => {
    const [buyOnly, sellOnly] = [new Map([[b, 1n]]), new Map([[a, 1n]])]
    for (const partly of [new Map(), buyOnly, sellOnly]) {
      expect(check({ executedBuy: 10n ** 60n }, { prices: partly })).not.toThrow()
    }
    const empty = new Map([[uid, { sellAmount: 1_000n, buyAmount: 0n }]])
    expect(check({ executedBuy: 10n ** 60n }, { prices: new Map(), quotes: empty })).not.toThrow()
  })

  test('rejects no honest solution because of a price that one solver pushed down', () => {
    const pushed = new Map([...prices, [a, 1n] as const])
    expect(check({}, { prices: pushed })).toThrow()
    expect(check({}, { prices: pushed, quotes })).not.toThrow()
    expect(check({ limitBuy: 2_900n }, { prices: pushed })).not.toThrow()
  })

  test('takes the limit of a just-in-time order for no reference', () => {
    expect(check({ limitBuy: 10n ** 9n, executedBuy: 10n ** 9n })).not.toThrow()
    expect(check({ limitBuy: 10n ** 9n, executedBuy: 10n ** 9n }, { orders: new Map() })).toThrow()
  })
})
