import { expect, test } from 'vitest'
import { toSafeToken } from './toSafeToken.ts'

const address = `0x${'1c'.repeat(20)}`

test('leaves plain text unchanged', () => {
  const token = { address, symbol: 'USDC.e', name: 'USD Coin (bridged)', decimals: 6 }
  expect(toSafeToken(token)).toEqual(token)
})

test('a symbol is one short word', () => {
  expect(toSafeToken({ address, symbol: `\u202e${'W'.repeat(300)}` }).symbol).toBe(`${'W'.repeat(19)}…`)
  expect(toSafeToken({ address, symbol: 'X.  You get\n9 Y' }).symbol).toBe('X.Youget9Y')
})

test('removes text that cannot be shown', () => {
  expect(toSafeToken({ address, symbol: '\u200b', name: ' ', decimals: 0 })).toEqual({ address, decimals: 0 })
})
