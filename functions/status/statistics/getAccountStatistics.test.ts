import { expect, test } from 'vitest'
import type { AccountStatistics } from '#schema/queries/explorer/accountStatistics.ts'
import { getAccountStatistics } from './getAccountStatistics.ts'

const account = `0x${'ab'.repeat(20)}`
const statistics: AccountStatistics = {
  orders: {
    ...{ open: 1, fulfilled: 2, cancelled: 0, expired: 0, presignaturePending: 0, partiallyFilled: 1 },
    isComplete: true,
  },
  trades: { count: 2, valued: 1, volume: '9', volumeUsd: null, surplus: '1', surplusUsd: null, isComplete: true },
}

const get = async (given: string) => {
  const asked: unknown[] = []
  const app = getAccountStatistics({
    now: () => 7,
    selectAccountStatistics: async (...args) => {
      asked.push(args)
      return statistics
    },
  })
  return { response: await app.request(`/api/v1/explorer/accounts/${given}/statistics`), asked }
}

test('has the totals of the account in lower case, cacheable for a minute', async () => {
  const { response, asked } = await get(account.toUpperCase().replace('0X', '0x'))
  expect(response.headers.get('Cache-Control')).toContain('public, max-age=60')
  expect(await response.json()).toEqual(statistics)
  expect(asked).toEqual([[account, 7]])
})

test('rejects a malformed account before any query', async () => {
  const { response, asked } = await get('0x12')
  expect([response.status, asked]).toEqual([400, []])
})
