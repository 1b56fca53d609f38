import { recoverMessageAddress } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, expect, test } from 'vitest'
import type { DebugFacts } from '#schema/queries/debug/debugReport.ts'
import { filledOrder } from '#test/helpers/database/filledOrder.ts'
import { newOrder, storeOrder } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { connectArchive } from '../archive/connectArchive.ts'
import { getReceipt } from './getReceipt.ts'
import { toCanonicalJson } from './signReceipt.ts'
import { receiptSchema, toReceipt } from './toReceipt.ts'

const chainId = 11_155_111
const [winner, second, invalid, partner] = ['5a', '5b', '5c', '5d'].map(
  (digits): `0x${string}` => `0x${digits.repeat(20)}`,
) as [`0x${string}`, `0x${string}`, `0x${string}`, `0x${string}`]
const transactionHash = `0x${'cc'.repeat(32)}` as const
const solution = { auctionId: 2, isWinner: false, filteredOut: false, executedSell: 1000n }
const noFactors = {
  ...{ surplusFactor: null, surplusMaxVolumeFactor: null, volumeFactor: null },
  ...{ priceImprovementFactor: null, priceImprovementMaxVolumeFactor: null },
}

const hook = { phase: 'pre' as const, hook: 0, target: partner, outcome: 'reverted' as const }

/** An order with a fee of the protocol and one of a partner, filled in an auction with three solvers. */
const facts: DebugFacts = {
  events: [{ label: 'traded', reason: null, createdAt: new Date(0), data: { hooks: [hook] } }],
  auctions: [{ id: 2, block: 200, deadlineBlock: 205, archiveKey: null, sellTokenPrice: '5', buyTokenPrice: '6' }],
  solutions: [
    { ...solution, uid: 2, solver: second, score: 8n, executedBuy: 2050n },
    { ...solution, uid: 1, solver: invalid, filteredOut: true, score: 99n, executedBuy: 9000n },
    { ...solution, uid: 0, solver: winner, isWinner: true, score: 9n, executedBuy: 2100n },
  ],
  executions: [
    {
      auctionId: 2,
      executedFee: 7n,
      executedFeeToken: filledOrder.sellToken,
      blockNumber: 203,
      protocolFees: [
        { token: filledOrder.buyToken, amount: '4' },
        { token: filledOrder.buyToken, amount: '2' },
      ],
    },
  ],
  attempts: [],
  feePolicies: [
    { ...noFactors, auctionId: 2, kind: 'surplus', surplusFactor: 0.5, surplusMaxVolumeFactor: 0 },
    { ...noFactors, auctionId: 2, kind: 'volume', volumeFactor: 0.0002 },
  ],
  trades: [
    {
      ...{ blockNumber: 203, logIndex: 9, buyAmount: 2100n, sellAmount: 1000n, feeAmount: 0n, transactionHash },
      ...{ auctionId: 2, solver: winner, gasUsed: 90_000n, effectiveGasPrice: 7n },
    },
  ],
  membership: { first: 1, last: 2, isOpen: false },
  currentAuction: undefined,
}
const partnerFee = { recipient: partner, kind: 'volume' as const, bps: 2, maxVolumeBps: null }
const order = { ...filledOrder, partnerFees: [partnerFee] }

test('a receipt has winner, runner-up, gas, hooks and the beneficiary of each fee', () => {
  const receipt = toReceipt(chainId, order, facts, () => false)
  expect(receipt).toEqual(receiptSchema.parse(receipt))
  expect(receipt).toMatchObject({
    receiver: order.owner,
    limit: { sellAmount: '1000', buyAmount: '2000' },
    executed: { sellAmount: '1000', buyAmount: '2100' },
    surplus: { token: order.buyToken, amount: '100' },
    hookOutcomes: [hook],
    fills: [
      {
        gas: { used: '90000', price: '7' },
        competition: {
          auctionId: 2,
          winner: { solver: winner, buyAmount: '2100' },
          runnerUp: { solver: second, buyAmount: '2050', score: '8' },
          referencePrices: { sellToken: '5', buyToken: '6' },
        },
        fees: {
          total: '7',
          items: [
            { policy: 'surplus', beneficiary: 'protocol', amount: '4' },
            { policy: 'volume', beneficiary: partner, amount: '2' },
          ],
        },
      },
    ],
  })
})

test('a competition that is not public yet is in no receipt', () => {
  const { fills } = toReceipt(chainId, order, facts, (deadline) => deadline === 205)
  expect(fills).toMatchObject([{ competition: null, fees: { total: '7' } }])
})

test('a signed fee is no part of the surplus', () => {
  const signed = { ...order, executedSellAmount: 1010n, executedFeeAmount: 10n }
  expect(toReceipt(chainId, signed, facts, () => false).surplus.amount).toBe('100')
})

test('canonical JSON sorts the keys of every object', () => {
  expect(toCanonicalJson({ b: [{ d: 1, c: null }], a: 'é"' })).toBe('{"a":"é\\"","b":[{"c":null,"d":1}]}')
})

const { database, close } = await startTestDatabase()
afterAll(close)

test('a receipt is signed by the key of the deployment, also before the first fill', async () => {
  const stored = newOrder(1)
  await storeOrder(database, stored)
  const privateKey = `0x${'11'.repeat(32)}` as const
  const deps = { database, chainId, archive: connectArchive(undefined, chainId), hideBeforeDeadline: true }
  const path = `/api/v1/orders/${stored.uid}/receipt`
  const response = await getReceipt({ ...deps, privateKey }).request(path)
  const { receipt, signature } = (await response.json()) as {
    receipt: object
    signature: { signer: string; message: string; signature: `0x${string}` }
  }
  expect(receipt).toMatchObject({ orderUid: stored.uid, fills: [], surplus: { amount: '0' } })
  expect((await recoverMessageAddress(signature)).toLowerCase()).toBe(signature.signer)
  expect(signature.signer).toBe(privateKeyToAddress(privateKey).toLowerCase())
  const unsigned = await getReceipt({ ...deps, privateKey: undefined }).request(path)
  expect(await unsigned.json()).toEqual({ receipt, signature: null })
  const unknown = await getReceipt({ ...deps, privateKey }).request(path.replace(stored.uid, `0x${'00'.repeat(56)}`))
  expect([unknown.status, await unknown.json()]).toMatchObject([404, { errorType: 'OrderNotFound' }])
})
