import { type Address, type Hex, toHex } from 'viem'
import { expect, test } from 'vitest'
import { openSql } from '#test/helpers/solvers/solverMarket.ts'
import { openHolderStore } from './holderStore.ts'

const block = (number: number) => ({ number, hash: toHex(number, { size: 32 }) as Hex })
const account = (number: number): Address => toHex(number, { size: 20 })

test('sorts balances of any length numerically, and equal ones by address', () => {
  const store = openHolderStore(openSql())
  const balances = [9n, 10n, 2n ** 256n - 1n, 2n ** 255n, 0n, 10n]
  const holders = balances.map((balance, i) => ({ address: account(9 - i), balance }))
  store.saveNamed(
    holders.map(({ address }) => address),
    1,
    block(1),
  )
  store.saveBalances(holders, block(1))
  expect(store.findLargest(10)).toEqual([2, 3, 5, 1, 0].map((i) => holders[i]))
  expect(store.findLargest(2)).toEqual([2, 3].map((i) => holders[i]))
})

test('removes empty accounts once no reorganisation can restore them', () => {
  const sql = openSql()
  const store = openHolderStore(sql)
  const count = () => Number(sql.exec('select count(*) as count from holders').toArray()[0]?.count)
  const [poor, rich, unread] = [account(1), account(2), account(3)]
  store.saveNamed([poor, rich, unread], 1, block(1))
  const read = [
    { address: poor, balance: 0n },
    { address: rich, balance: 1n },
  ]
  store.saveBalances(read, block(1))
  for (let number = 2; number <= 32; number += 1) store.saveBalances([], block(number))
  store.prune()
  expect(count()).toBe(3)
  store.saveBalances([], block(33))
  store.prune()
  expect(count()).toBe(2)
  expect(store.findDue(33, 0, 10)).toEqual([unread])
})
