import { describe, expect, test } from 'vitest'
import { filledOrder } from '#test/helpers/database/filledOrder.ts'
import { findExecutablePrice } from './findExecutablePrice.ts'
import type { PriceQuery } from './requestExecutablePrice.ts'

const notLookedUp = { sellPrice: undefined, buyPrice: undefined }
/** with everything else that an order has */
const query: PriceQuery = { ...filledOrder, appData: '{}' }

const find = async (reply: Response | Error, changes: Partial<PriceQuery> = {}) => {
  const requested: unknown[] = []
  const fetch = async (request: Request) => {
    requested.push(await request.json())
    if (reply instanceof Error) throw reply
    return reply
  }
  return { facts: await findExecutablePrice({ fetch })({ ...query, ...changes }), requested }
}

describe('requests a price from the quotes Worker', () => {
  const { owner, sellToken, buyToken, receiver } = filledOrder
  const terms = { sellToken, buyToken, from: owner, receiver, signingScheme: 'eip712', timeout: 2_000, appData: '{}' }
  const price = { sellAmount: '1000', buyAmount: '2100', networkFee: '7' }
  const executable = { sellAmount: 1000n, buyAmount: 2100n, networkFee: 7n }

  test('for the sell amount of a sell order', async () => {
    const { facts, requested } = await find(Response.json(price))
    expect(facts).toEqual({ ...notLookedUp, executable })
    expect(requested).toEqual([{ ...terms, kind: 'sell', sellAmountBeforeFee: '1000' }])
  })

  test('for the buy amount of a buy order, without a document that no longer counts', async () => {
    const { requested } = await find(Response.json(price), { kind: 'buy', appData: null })
    const { appData: _, ...others } = terms
    expect(requested).toEqual([{ ...others, kind: 'buy', buyAmountAfterFee: '2000' }])
  })

  test('with the wrapping of its ether for an order that a contract placed for its user', async () => {
    const placed = { signingScheme: 'eip1271', onchainUser: owner } as const
    const { requested } = await find(Response.json(price), placed)
    const gas = { signingScheme: 'eip1271', onchainOrder: true, verificationGasLimit: 0 }
    expect(requested).toEqual([{ ...terms, ...gas, kind: 'sell', sellAmountBeforeFee: '1000' }])
  })
})

test.each<[string, Response | Error, object]>([
  ['a fault', Response.json({ fault: 'NoLiquidity' }), { executable: { fault: 'NoLiquidity' } }],
  ['a token without a price', Response.json({ missing: 'buyToken' }), { buyPrice: null }],
  ['garbage', Response.json({ sellAmount: 1 }), { executable: { unknown: 'quotesUnavailable' } }],
  ['an outage', new Error('away'), { executable: { unknown: 'quotesUnavailable' } }],
])('understands %s', async (_, reply, expected) => {
  expect((await find(reply)).facts).toEqual({ ...notLookedUp, ...expected })
})

test('returns no price without the quotes Worker', async () => {
  expect(await findExecutablePrice(undefined)(query)).toEqual({
    ...notLookedUp,
    executable: { unknown: 'quotesDisabled' },
  })
})
