import { expect, test } from 'vitest'
import { readAccountFilter, toOrderQuery } from './accountFilter.ts'

const token = `0x${'ab'.repeat(20)}`

test('reads the state and the token of an address, and leaves out all others', () => {
  expect(readAccountFilter({ state: 'expired', token: token.toUpperCase().replace('0X', '0x') })).toEqual({
    ...{ state: 'expired', token },
  })
  const nothing = { state: undefined, token: undefined }
  expect(readAccountFilter({ state: 'toString', token: '0x12' })).toEqual(nothing)
  expect(readAccountFilter({})).toEqual(nothing)
})

test('a partial fill is not a status of the API', () => {
  expect(toOrderQuery({ state: 'partial', token })).toEqual({ token, partiallyFilled: 'true' })
  expect(toOrderQuery({ state: 'fulfilled', token: undefined })).toEqual({ status: 'fulfilled' })
  expect(toOrderQuery({ state: undefined, token: undefined })).toEqual({})
})
