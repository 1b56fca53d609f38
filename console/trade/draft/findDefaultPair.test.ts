import { expect, test } from 'vitest'
import { findDefaultPair } from './findDefaultPair.ts'

const wrappedNative = '0x01'
const toToken = (address: string, symbol: string) => ({ address, symbol })
const weth = toToken(wrappedNative, 'WETH')

test('the default pair sells the wrapped native token for a dollar token', () => {
  const tokens = [weth, toToken('0x02', 'DAI'), toToken('0x03', 'USDC')]
  expect(findDefaultPair({ wrappedNative }, tokens)).toEqual({ sell: '0x01', buy: '0x03' })
})

test('without a dollar token the default pair buys another listed token', () => {
  expect(findDefaultPair({ wrappedNative }, [weth, toToken('0x02', 'DAI')])).toEqual({ sell: '0x01', buy: '0x02' })
  expect(findDefaultPair({ wrappedNative }, [])).toEqual({ sell: '0x01', buy: '' })
})
