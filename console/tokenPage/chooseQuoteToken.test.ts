import { expect, test } from 'vitest'
import { nativeSentinel } from '../tokens/nativeSentinel.ts'
import { chooseQuoteToken } from './chooseQuoteToken.ts'

const [weth, usdc, dai] = ['0xaa', '0xbb', '0xcc']
const listed = [nativeSentinel, weth, usdc, dai].map((address) => ({ address }))
const prices = new Map([
  [nativeSentinel, 1],
  [weth, 3_000],
  [usdc, 0.999],
  [dai, 1.01],
])
const choose = (token: string, known: ReadonlyMap<string, number> = prices, tokens = listed) =>
  chooseQuoteToken(tokens, known, token, weth)?.address

test('prices a token in the listed token nearest to a dollar', () => {
  expect(choose(weth)).toBe(usdc)
  expect(choose(usdc)).toBe(dai)
})

test('without a dollar token it is the wrapped native one, and for that one none', () => {
  expect(choose(dai, new Map([[usdc, 1.06]]))).toBe(weth)
  expect(choose(weth, new Map())).toBeUndefined()
  expect(choose(dai, prices, [])).toBeUndefined()
})
