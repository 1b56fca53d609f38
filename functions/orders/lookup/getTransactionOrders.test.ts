import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { filledOrder } from '#test/helpers/database/filledOrder.ts'
import { getTransactionOrders } from './getTransactionOrders.ts'

const hash = `0x${'cc'.repeat(32)}` as const

const get = async (of: string) => {
  const asked: Hex[] = []
  const app = getTransactionOrders({
    now: () => 0,
    selectTransactionOrders: async (transactionHash) => {
      asked.push(transactionHash)
      return transactionHash === hash ? [filledOrder] : []
    },
  })
  const response = await app.request(`/api/v1/transactions/${of}/orders`)
  return { status: response.status, body: await response.json(), asked }
}

test('the orders that a transaction traded, its hash in any case', async () => {
  const { status, body, asked } = await get(`0x${hash.slice(2).toUpperCase()}`)
  expect([status, asked]).toEqual([200, [hash]])
  expect(body).toMatchObject([{ uid: filledOrder.uid, status: 'fulfilled' }])
  expect(body).not.toHaveProperty('0.quote')
})

test('an unknown transaction traded none', async () => {
  expect(await get(`0x${'dd'.repeat(32)}`)).toMatchObject({ status: 200, body: [] })
})

test.each(['0x12', hash.slice(2), filledOrder.uid])('%s is no hash: 400', async (of) => {
  expect(await get(of)).toMatchObject({
    status: 400,
    body: { errorType: 'InvalidParameter', data: { field: 'hash' } },
    asked: [],
  })
})
