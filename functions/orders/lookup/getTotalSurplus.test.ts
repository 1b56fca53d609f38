import type { Address } from 'viem'
import { afterAll, expect, test } from 'vitest'
import { accountSurplus } from '#schema/tables/settlements/accountSurplus.ts'
import { maxUint256 } from '#shared/amounts/uint256.ts'
import { networks } from '#shared/networks.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { getTotalSurplus } from './getTotalSurplus.ts'

const { chainId } = networks.sepolia
const owner: Address = `0x${'ab'.repeat(20)}`
const { database, close } = await startTestDatabase()
afterAll(close)

const get = async (address: string) => {
  const response = await getTotalSurplus({ database, chainId }).request(`/api/v1/users/${address}/total_surplus`)
  return { status: response.status, body: await response.json() }
}

test('returns a surplus of any size as decimal text, for an address in any case', async () => {
  const total = maxUint256 * 10n ** 18n
  await database.insert(accountSurplus).values({ chainId, account: owner, throughBlock: 1, total })
  expect(await get(`0x${owner.slice(2).toUpperCase()}`)).toEqual({
    status: 200,
    body: { totalSurplus: maxUint256.toString() },
  })
})

test('an unknown user has "0"', async () => {
  expect(await get(`0x${'cd'.repeat(20)}`)).toEqual({ status: 200, body: { totalSurplus: '0' } })
})

test('a malformed address is 400', async () => {
  expect(await get('0x12')).toMatchObject({ status: 400, body: { errorType: 'InvalidParameter' } })
})
