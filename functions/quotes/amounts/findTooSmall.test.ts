import { zeroAddress, zeroHash } from 'viem'
import { expect, test } from 'vitest'
import { ApiError } from '#shared/http/errors.ts'
import { defaultRoom } from '#shared/slippage/computeSuggestedSlippage.ts'
import type { PreparedRequest } from '../request/prepareRequest.ts'
import { quoteRequestSchema } from '../request/quoteRequest.ts'
import type { Quote } from './buildQuote.ts'
import { findTooSmall } from './findTooSmall.ts'

/** Gas and atoms cost the same: 3,000,000 atoms pay for 3,000,000 gas, and 1,000 more buy an atom. */
const market = {
  gasPrice: 1n,
  sellTokenPrice: 1,
  buyTokenPrice: 1,
  isConfirmed: true,
  dataGas: 0n,
  slippageRoom: defaultRoom,
}
const roomy = 3_001_000n

const prepare = (size: object): PreparedRequest => ({
  request: quoteRequestSchema.parse({
    sellToken: zeroAddress,
    buyToken: `0x${'01'.repeat(20)}`,
    from: zeroAddress,
    kind: 'sell',
    ...size,
  }),
  receivedAt: 0,
  validTo: 0xffffffff,
  appData: {
    appData: zeroHash,
    appDataHash: zeroHash,
    fullAppData: '{}',
    hookGas: 0n,
    partnerFees: [],
    hooks: { pre: [], post: [] },
  },
})

const find = async (size: object, feeAmount = 100n) => {
  const requested: bigint[] = []
  const error = await findTooSmall(prepare(size), market, async ({ request }) => {
    requested.push(request.size.amount)
    return { estimate: { sellAmount: roomy, buyAmount: roomy }, feeAmount } as unknown as Quote
  })
  return { requested, data: error?.data }
}

test('a size below the fee of a roomy size is too small, one above it is not', async () => {
  // the fee and a tenth of it, and one atom
  expect(await find({ sellAmountBeforeFee: '110' })).toMatchObject({
    requested: [roomy],
    data: { minSellAmount: '111' },
  })
  expect(await find({ sellAmountBeforeFee: '111' })).toEqual({ requested: [roomy], data: undefined })
})

test('a size that pays for the gas easily, or names what is bought, is not quoted again', async () => {
  expect((await find({ sellAmountBeforeFee: String(roomy - 1n) })).requested).toEqual([roomy])
  expect((await find({ sellAmountBeforeFee: String(roomy) })).requested).toEqual([])
  expect((await find({ kind: 'buy', buyAmountAfterFee: '1' })).requested).toEqual([])
})

test('returns nothing without a route at the larger size, and does not hide internal errors', async () => {
  const prepared = prepare({ sellAmountBeforeFee: '1' })
  const failWith = (error: Error) => findTooSmall(prepared, market, () => Promise.reject(error))
  expect(await failWith(new ApiError('NoLiquidity'))).toBeUndefined()
  await expect(failWith(new TypeError('a fault'))).rejects.toThrow('a fault')
})
