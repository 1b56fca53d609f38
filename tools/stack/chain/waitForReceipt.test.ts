import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestChain, type TestChain } from '#test/helpers/chain/testChain.ts'
import { devAccounts } from './devAccounts.ts'
import { waitForReceipt } from './waitForReceipt.ts'

const { address } = devAccounts[0]

let local: TestChain
beforeAll(async () => {
  local = await startTestChain()
})
afterAll(() => local?.stop())

test('a pending transaction is awaited until its block', async () => {
  const { chain } = local
  await chain.setAutomine(false)
  const hash = await chain.sendTransaction({ account: address, to: address })
  let isMined = false
  const waiting = waitForReceipt(chain, hash).finally(() => expect(isMined).toBe(true))
  await sleep(100)
  isMined = true
  await chain.mine({ blocks: 1 })
  expect(await waiting).toEqual(await chain.getTransactionReceipt({ hash }))
  await chain.setAutomine(true)
})

test('a transaction whose receipt comes before it leaves the pool is awaited until it is in its block', async () => {
  const { chain } = local
  const hash = await chain.sendTransaction({ account: address, to: address })
  let asked = 0
  const { status } = await waitForReceipt(
    {
      getTransactionReceipt: chain.getTransactionReceipt,
      getTransaction: async (wanted) => {
        const { blockHash } = await chain.getTransaction(wanted)
        asked += blockHash ? 1 : 0
        return { blockHash: asked > 2 ? blockHash : null }
      },
    },
    hash,
  )
  expect({ status, asked }).toEqual({ status: 'success', asked: 3 })
})
