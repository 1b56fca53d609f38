import { expect, test } from 'vitest'
import { nativeSentinel } from '../tokens/nativeSentinel.ts'
import { computeTokenFlow } from './computeTokenFlow.ts'

const [weth, usdc] = ['0xaa', '0xbb']
const contracts = { wrappedNative: weth, ethFlow: `0x${'ef'.repeat(20)}` }
const toTrade = (owner: string, sellToken: string, sellAmount: string, buyToken: string, buyAmount: string) => {
  const orderUid = `0x${'00'.repeat(32)}${owner.repeat(20)}ffffffff`
  return { orderUid, sellToken, sellAmount, buyToken, buyAmount }
}

test('a token that some traders pay and others receive has both amounts, and the native token is apart', () => {
  const trades = [
    toTrade('01', weth, '5', usdc, '9000'),
    toTrade('02', usdc, '3000', weth, '2'),
    toTrade('ef', weth, '1', usdc, '1800'),
  ]
  expect(computeTokenFlow(contracts, trades)).toEqual([
    { token: weth, paid: 5n, received: 2n },
    { token: usdc, paid: 3_000n, received: 10_800n },
    { token: nativeSentinel, paid: 1n, received: 0n },
  ])
})
