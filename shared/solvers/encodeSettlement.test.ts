import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { type Address, type Hex, zeroAddress, zeroHash } from 'viem'
import { describe, expect, test } from 'vitest'
import { decodeSettlement } from '../../functions/auctions/settlement/decodeSettlement.ts'
import { computeSignedFee } from '../amounts/computeSignedFee.ts'
import type { Order } from '../signing/order.ts'
import type { SigningScheme } from '../signing/signingScheme.ts'
import { encodeSettlement, type SettlementTrade } from './encodeSettlement.ts'

const address = (digit: string): Address => `0x${digit.repeat(40)}`
const [sellToken, buyToken, owner] = [address('a'), address('b'), address('c')]
const ecdsaSignature: Hex = `0x${'11'.repeat(64)}1b`

const order: Order = {
  sellToken,
  buyToken,
  receiver: zeroAddress,
  sellAmount: 1000n,
  buyAmount: 1n,
  validTo: 0xffffffff,
  appDataHash: `0x${'00'.repeat(32)}`,
  feeAmount: 0n,
  kind: 'sell',
  partiallyFillable: false,
  sellTokenBalance: 'erc20',
  buyTokenBalance: 'erc20',
}
const noInteractions = { pre: [], intra: [], post: [] }

const amount = fc.bigInt({ min: 1n, max: 2n ** 112n })
const arbitraryTrade: fc.Arbitrary<SettlementTrade & { net: bigint; fee: bigint }> = fc
  .record({
    kind: fc.constantFrom<Order['kind']>('sell', 'buy'),
    partiallyFillable: fc.boolean(),
    sellTokenBalance: fc.constantFrom<Order['sellTokenBalance']>('erc20', 'external', 'internal'),
    buyTokenBalance: fc.constantFrom<Order['buyTokenBalance']>('erc20', 'internal'),
    scheme: fc.constantFrom<SigningScheme>('eip712', 'ethsign', 'eip1271', 'presign'),
    net: amount,
    fee: amount,
    feeAmount: fc.oneof(fc.constant(0n), amount),
    executedBuy: amount,
    slack: amount,
  })
  .map(({ scheme, net, fee, feeAmount, executedBuy, slack, ...flags }) => {
    const isPartial = flags.partiallyFillable
    const sold = net + fee
    const signed = {
      ...order,
      ...flags,
      feeAmount,
      sellAmount: flags.kind === 'sell' && !isPartial ? sold : sold + slack,
      buyAmount: flags.kind === 'buy' && !isPartial ? executedBuy : executedBuy + slack,
    }
    return {
      order: signed,
      net,
      owner,
      scheme,
      signature: scheme === 'eip712' || scheme === 'ethsign' ? ecdsaSignature : '0x1234',
      executedSell: sold + computeSignedFee(signed, flags.kind === 'sell' ? sold : executedBuy),
      executedBuy,
      fee,
    }
  })

describe('encodeSettlement and decodeSettlement', () => {
  test('executed amounts, a signed fee among them, and the fee of the price come back to the atom', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), arbitraryTrade, (auctionId, trade) => {
        const calldata = encodeSettlement({
          auctionId,
          uniformPrices: new Map([
            [sellToken, trade.executedBuy],
            [buyToken, trade.net],
          ]),
          trades: [trade],
          interactions: noInteractions,
        })
        const decoded = decodeSettlement(calldata)
        expect(decoded?.auctionId).toBe(auctionId)
        expect(decoded?.trades).toMatchObject([
          {
            order: trade.order,
            scheme: trade.scheme,
            executedSell: trade.executedSell,
            executedBuy: trade.executedBuy,
            feeInSellToken: trade.fee,
          },
        ])
      }),
    )
  })

  test('addresses come back in lower case', () => {
    const receiver = '0xabcdefabcdefabcdefabcdefabcdefabcdefabcd'
    const trade = { order: { ...order, receiver }, owner, scheme: 'eip712' as const, signature: ecdsaSignature }
    const calldata = encodeSettlement({
      auctionId: 1n,
      uniformPrices: new Map([
        [sellToken, 1n],
        [buyToken, 1n],
      ]),
      trades: [{ ...trade, executedSell: 1000n, executedBuy: 1000n }],
      interactions: noInteractions,
    } as Parameters<typeof encodeSettlement>[0])
    expect(decodeSettlement(calldata)?.trades[0]?.order.receiver).toBe(receiver)
  })

  test('trades have their own prices behind the uniform ones', () => {
    const trade = { order, owner, scheme: 'eip712' as const, signature: ecdsaSignature, executedSell: 1000n }
    const decoded = decodeSettlement(
      encodeSettlement({
        auctionId: 7n,
        uniformPrices: new Map([
          [buyToken, 990n],
          [sellToken, 2000n],
        ]),
        trades: [
          { ...trade, executedBuy: 2000n },
          { ...trade, order: { ...order, sellAmount: 500n }, executedSell: 500n, executedBuy: 980n },
        ],
        interactions: noInteractions,
      }),
    )
    expect(
      decoded?.trades.map(({ executedSell, executedBuy, feeInSellToken }) => [
        executedSell,
        executedBuy,
        feeInSellToken,
      ]),
    )
      // 980 bought at 990 / 2000 cost 485.1 without fee
      .toEqual([
        [1000n, 2000n, 10n],
        [500n, 980n, 15n],
      ])
  })

  test('a trade without a uniform price for one of its tokens has no fee', () => {
    const thirdToken: Address = `0x${'33'.repeat(20)}`
    const trade = { order, owner, scheme: 'presign' as const, signature: '0x' as const }
    const decoded = decodeSettlement(
      encodeSettlement({
        auctionId: 1n,
        uniformPrices: new Map([
          [sellToken, 2_000n],
          [buyToken, 990n],
        ]),
        trades: [
          { ...trade, executedSell: 1000n, executedBuy: 2000n },
          {
            ...trade,
            order: { ...order, sellToken: buyToken, buyToken: thirdToken },
            executedSell: 1000n,
            executedBuy: 1n,
          },
          { ...trade, order: { ...order, sellToken: thirdToken }, executedSell: 1000n, executedBuy: 1n },
        ],
        interactions: noInteractions,
      }),
    )
    expect(decoded?.trades.map(({ feeInSellToken }) => feeInSellToken)).toEqual([10n, 0n, 0n])
  })

  test('prices of another solver that pay more than its uniform ones are no negative fee', () => {
    const decoded = decodeSettlement(
      encodeSettlement({
        auctionId: 1n,
        uniformPrices: new Map([
          [sellToken, 1n],
          [buyToken, 1n],
        ]),
        trades: [{ order, owner, scheme: 'presign', signature: '0x', executedSell: 1000n, executedBuy: 2000n }],
        interactions: noInteractions,
      }),
    )
    expect(decoded?.trades[0]?.feeInSellToken).toBe(0n)
  })

  test('calldata without an auction id has none', () => {
    const calldata = encodeSettlement({
      auctionId: 5n,
      uniformPrices: new Map(),
      trades: [],
      interactions: noInteractions,
    })
    expect(decodeSettlement(calldata)).toEqual({ auctionId: 5n, trades: [] })
    expect(decodeSettlement(calldata.slice(0, -16) as Hex)).toEqual({ auctionId: undefined, trades: [] })
  })

  test('other calldata is not decoded', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
        expect(decodeSettlement(`0x${Buffer.from(bytes).toString('hex')}`)).toBeUndefined()
        expect(decodeSettlement(`0x13d79a0b${Buffer.from(bytes).toString('hex')}`)?.trades ?? []).toEqual([])
      }),
    )
  })

  test('an auction id beyond eight bytes is refused', () => {
    const encode = (auctionId: bigint) =>
      encodeSettlement({ auctionId, uniformPrices: new Map(), trades: [], interactions: noInteractions })
    expect(() => encode(2n ** 64n)).toThrow(RangeError)
    expect(() => encode(-1n)).toThrow(RangeError)
  })
})

test('the encoded example of docs/solvers.md is this settlement, word for word', async () => {
  const docs = await readFile(join(import.meta.dirname, '../../docs/solvers.md'), 'utf8')
  const [, block = ''] = /```\n(13d79a0b[^`]+)```/.exec(docs) ?? []
  // a line has words and, after them, what they are
  const shown = block
    .trim()
    .split('\n')
    .map((line) => line.split(/(?<!,) /)[0] ?? '')
  const addressOf = (n: number) => `0x${String(n).repeat(40)}` as Address
  const [owner, sellToken, buyToken] = [addressOf(3), addressOf(1), addressOf(2)]
  const data = encodeSettlement({
    auctionId: 4711n,
    uniformPrices: new Map([
      [sellToken, 950n],
      [buyToken, 990n],
    ]),
    trades: [
      {
        order: {
          ...{ sellToken, buyToken, receiver: zeroAddress, sellAmount: 1_000n, buyAmount: 900n, feeAmount: 0n },
          ...{ validTo: 1_900_000_000, appDataHash: zeroHash, kind: 'sell', partiallyFillable: false },
          ...{ sellTokenBalance: 'erc20', buyTokenBalance: 'erc20' },
        },
        ...{ owner, scheme: 'presign', signature: '0x', executedSell: 1_000n, executedBuy: 950n },
      },
    ],
    interactions: { pre: [], intra: [{ target: addressOf(4), value: 0n, callData: '0xabcd' }], post: [] },
  })
  const words = data.slice(10, -16).match(/.{64}/g) ?? []
  const shorten = (word: string) => {
    const address = /^0{24}(\d)\1{39}$/.exec(word) ?? /^(\d)\1{39}0{24}$/.exec(word)
    if (address && address[1] !== '0') return `0x${address[1]}${address[1]}…`
    return word.startsWith('abcd') ? 'abcd' : word.replace(/^0+(?=.)/, '')
  }
  expect(shown.flatMap((line) => line.split(', '))).toEqual([data.slice(2, 10), ...words.map(shorten), data.slice(-16)])
})
