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
