import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Address, RpcRequestError } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inNextBlock, toNextBlock } from '#shared/chain/nextBlock.ts'
import { networks } from '#shared/networks.ts'
import { startTestChain, type TestChain } from '#test/helpers/chain/testChain.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { connectSender } from './connectSender.ts'
import { findSendingTerms } from './findSendingTerms.ts'
import { simulateSettlement } from './simulateSettlement.ts'

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain()
  // reverts where the number of the block is odd
  await chain.chain.setCode({ address: to, bytecode: '0x43600116600857005b5f5ffd' })
})
afterAll(() => chain?.stop())

const to: Address = '0x0000000000000000000000000000000000000b0b'
const account = privateKeyToAccount(devAccounts[0].privateKey)

/** Whether a call of the contract passes the simulation of a settlement, at a head with an odd or an even number. */
const passes = async (rpcUrl: string, isHeadOdd: boolean): Promise<boolean> => {
  const client = connectSender(rpcUrl, networks.sepolia.chainId, account)
  if (((await client.getBlockNumber()) % 2n === 1n) !== isHeadOdd) await chain.chain.mine({ blocks: 1 })
  const terms = await findSendingTerms(client, account.address)
  const transaction = { account: account.address, to, data: '0x12', accessList: [] } as const
  return 'gas' in (await simulateSettlement(client, transaction, terms, toNextBlock(terms, 12)))
}

test('a settlement is simulated in the block that contains it, not in the newest one', async () => {
  expect(await passes(chain.rpcUrl, true)).toBe(true)
  expect(await passes(chain.rpcUrl, false)).toBe(false)
})

test('a node that takes no facts of a block simulates in the newest one, and is asked for them once', async () => {
  let refused = 0
  const node = createServer(async (request, response) => {
    const body = JSON.parse((await request.toArray()).join('')) as { id: number; params: unknown[] }
    const isRefused = body.params?.length > 3
    if (isRefused) refused += 1
    const error = { code: -32_602, message: 'too many arguments, want at most 3' }
    const answer = isRefused
      ? JSON.stringify({ jsonrpc: '2.0', id: body.id, error })
      : await (await fetch(chain.rpcUrl, { method: 'POST', headers, body: JSON.stringify(body) })).text()
    response.writeHead(200, headers).end(answer)
  })
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
  try {
    const rpcUrl = `http://127.0.0.1:${(node.address() as AddressInfo).port}`
    expect(await passes(rpcUrl, true)).toBe(false)
    expect(await passes(rpcUrl, false)).toBe(true)
    expect(refused).toBe(2)
  } finally {
    node.close()
    node.closeAllConnections()
  }
})

test.each([
  ['block overrides are not supported', -32_000, true],
  ['execution reverted: block overrides are not supported', 3, false],
  ['execution reverted: override ', -32_000, false],
])('"%s" with code %i: the node refuses the facts of a block: %s', async (message, code, isRefused) => {
  const blocks: unknown[] = []
  const call = async (next: unknown): Promise<string> => {
    blocks.push(next)
    if (!next) return 'newest'
    throw new RpcRequestError({ body: {}, url: 'http://127.0.0.1', error: { code, message } })
  }
  const next = { number: 1n, time: 12n }
  const called = await inNextBlock({}, next, call).catch(() => 'reverted')
  expect({ called, blocks }).toEqual(
    isRefused ? { called: 'newest', blocks: [next, undefined] } : { called: 'reverted', blocks: [next] },
  )
})

const headers = { 'Content-Type': 'application/json' }
