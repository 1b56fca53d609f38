import { decodeFunctionData, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { encodeCreateOrder, encodeInvalidateOrder } from './encodeCreateOrder.ts'
import { findEthFlowEnd } from './findEthFlowEnd.ts'
import { toEthFlowOrder } from './toEthFlowOrder.ts'

const abi = parseAbi([
  'struct Data { address buyToken; address receiver; uint256 sellAmount; uint256 buyAmount; bytes32 appData; uint256 feeAmount; uint32 validTo; bool partiallyFillable; int64 quoteId; }',
  'function createOrder(Data order) payable returns (bytes32 orderHash)',
  'function invalidateOrder(Data order)',
])
const [contract, seller, other] = ['13', '11', '12'].map((byte) => `0x${byte.repeat(20)}`) as [string, string, string]

const placed = {
  buyToken: `0x${'14'.repeat(20)}`,
  receiver: seller,
  sellAmount: '1000',
  buyAmount: '7',
  appDataHash: `0x${'22'.repeat(32)}`,
  feeAmount: '0',
  partiallyFillable: true,
  ethflowData: { userValidTo: 1_700_000_000, refundTxHash: null, isRefunded: false },
  onchainUser: seller,
  owner: contract,
  status: 'open',
} as const

const order = {
  buyToken: placed.buyToken,
  receiver: seller,
  sellAmount: 1_000n,
  buyAmount: 7n,
  appData: placed.appDataHash,
  feeAmount: 0n,
  validTo: 1_700_000_000,
  partiallyFillable: true,
  quoteId: 0n,
}

test('the terms of a placed order are those that its contract hashed', () => {
  expect(toEthFlowOrder(placed)).toEqual(order)
  expect(toEthFlowOrder({ ...placed, ethflowData: undefined })).toBeUndefined()
})

test('calldata has every field', () => {
  const named = { ...order, quoteId: 9n }
  expect(decodeFunctionData({ abi, data: encodeCreateOrder(named) as `0x${string}` })).toEqual({
    functionName: 'createOrder',
    args: [named],
  })
  expect(decodeFunctionData({ abi, data: encodeInvalidateOrder(order) as `0x${string}` })).toEqual({
    functionName: 'invalidateOrder',
    args: [order],
  })
})

describe('findEthFlowEnd', () => {
  const find = (changes: object = {}, account = seller) => findEthFlowEnd({ ...placed, ...changes }, contract, account)

  test('the seller cancels an open order', () => {
    expect(find()).toBe('cancel')
    expect(find({}, other)).toBeUndefined()
  })

  test('the seller takes an expired order back once', () => {
    expect(find({ status: 'expired' })).toBe('refund')
    expect(find({ status: 'expired', ethflowData: { ...placed.ethflowData, isRefunded: true } })).toBeUndefined()
  })

  test('an ended order, or one of another contract, cannot be ended', () => {
    expect(find({ status: 'fulfilled' })).toBeUndefined()
    expect(find({ status: 'cancelled' })).toBeUndefined()
    expect(find({ owner: other })).toBeUndefined()
    expect(find({ ethflowData: undefined })).toBeUndefined()
  })
})
