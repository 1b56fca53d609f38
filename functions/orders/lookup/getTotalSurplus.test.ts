import { maxUint256 } from 'viem'
import { expect, test } from 'vitest'
import { getTotalSurplus } from './getTotalSurplus.ts'

const owner = `0x${'ab'.repeat(20)}`

const get = async (address: string, surplus = 0n) => {
  const asked: string[] = []
  const app = getTotalSurplus({
    selectTotalSurplus: async (of) => {
      asked.push(of)
      return surplus
    },
  })
  const response = await app.request(`/api/v1/users/${address}/total_surplus`)
  return { status: response.status, body: await response.json(), asked }
}

test('the surplus as decimal text, however large; the address in any case', async () => {
  expect(await get(`0x${owner.slice(2).toUpperCase()}`, maxUint256)).toEqual({
    status: 200,
    body: { totalSurplus: maxUint256.toString() },
    asked: [owner],
  })
})

test('an unknown user has "0"', async () => {
  expect(await get(owner)).toMatchObject({ status: 200, body: { totalSurplus: '0' } })
})

test('a malformed address: 400', async () => {
  expect(await get('0x12')).toMatchObject({ status: 400, body: { errorType: 'InvalidParameter' }, asked: [] })
})
