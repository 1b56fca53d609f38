import { createPublicClient, erc20Abi, http, zeroAddress } from 'viem'
import { afterEach, expect, test, vi } from 'vitest'
import { runMain } from './runMain.ts'

afterEach(() => {
  process.exitCode = undefined
  vi.restoreAllMocks()
})

test('a node that does not respond is one line with its host, without its key', async () => {
  const chain = createPublicClient({ transport: http('http://127.0.0.1:9/secret-key', { retryCount: 0 }) })
  const printed = vi.spyOn(console, 'error').mockReturnValue()
  const call = { address: zeroAddress, abi: erc20Abi, functionName: 'totalSupply' } as const
  for (const main of [() => chain.getChainId(), () => chain.readContract(call)]) await runMain(main)
  const line = 'the node of RPC_URL or --rpc, 127.0.0.1:9: HTTP request failed. fetch failed'
  expect(printed.mock.calls).toEqual([[line], [line]])
  expect(process.exitCode).toBe(1)
})
