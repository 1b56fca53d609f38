import { type Address, BaseError, ContractFunctionRevertedError, encodeFunctionData, type Hex, parseEther } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hooksTrampolineAbi } from '#shared/chain/hooksTrampolineAbi.ts'
import { networks } from '#shared/networks.ts'
import { startTestChain, type TestChain } from '#test/helpers/chain/testChain.ts'
import { waitForReceipt } from '../waitForReceipt.ts'

const { hooksTrampoline, settlementContract } = networks.sepolia
/** stores its caller in slot 0, its gas in slot 1, and the first word of its calldata in slot 2 */
const recorder: Address = '0x1271000000000000000000000000000000000011'
const reverting: Address = '0x1271000000000000000000000000000000000012'
const burning: Address = '0x1271000000000000000000000000000000000013'
/** returns 100,000 zero bytes */
const verbose: Address = '0x1271000000000000000000000000000000000014'

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain()
  await chain.chain.impersonateAccount({ address: settlementContract })
  await chain.chain.setBalance({ address: settlementContract, value: parseEther('10') })
  const codes: [Address, Hex][] = [
    [recorder, '0x5a6001553360005560003560025500'],
    [reverting, '0x60006000fd'],
    [burning, '0x5b600056'],
    [verbose, '0x620186a06000f3'],
  ]
  for (const [address, bytecode] of codes) await chain.chain.setCode({ address, bytecode })
})
afterAll(() => chain?.stop())

type Hook = { target: Address; callData: Hex; gasLimit: bigint }
const hookOf = (target: Address, gasLimit = 100_000n, callData: Hex = '0x'): Hook => ({ target, callData, gasLimit })
const toData = (hooks: Hook[]) =>
  encodeFunctionData({ abi: hooksTrampolineAbi, functionName: 'execute', args: [hooks] })

const execute = async (hooks: Hook[], gas = 3_000_000n) => {
  const hash = await chain.chain.sendTransaction({
    account: settlementContract,
    to: hooksTrampoline,
    data: toData(hooks),
    gas,
  })
  return waitForReceipt(chain.chain, hash)
}
const simulate = (account: Address, hooks: Hook[], gas?: bigint) =>
  chain.chain.simulateContract({
    account,
    address: hooksTrampoline,
    abi: hooksTrampolineAbi,
    functionName: 'execute',
    args: [hooks],
    ...(gas ? { gas } : {}),
  })
const readSlot = async (slot: Hex) => BigInt((await chain.chain.getStorageAt({ address: recorder, slot })) ?? '0x0')
const nameOf = (work: Promise<unknown>) =>
  work.then(
    () => 'no error',
    (error: unknown) => {
      const cause = error instanceof BaseError ? error.walk((e) => e instanceof ContractFunctionRevertedError) : error
      return cause instanceof ContractFunctionRevertedError ? cause.data?.errorName : String(error)
    },
  )

test('accepts calls only from the settlement contract', async () => {
  const settlement = { address: hooksTrampoline, abi: hooksTrampolineAbi, functionName: 'settlement' } as const
  expect((await chain.chain.readContract(settlement)).toLowerCase()).toBe(settlementContract)
  expect(await nameOf(simulate(recorder, []))).toBe('NotASettlement')
  expect(await nameOf(simulate(settlementContract, []))).toBe('no error')
})

test('calls a hook with its calldata and exactly its gas', async () => {
  const word: Hex = `0x${'ab'.repeat(32)}`
  expect((await execute([hookOf(recorder, 123_456n, word)])).status).toBe('success')
  expect(await readSlot('0x0')).toBe(BigInt(hooksTrampoline))
  expect(await readSlot('0x2')).toBe(BigInt(word))
  // the target reads its gas with its first instruction, which costs 2
  expect(await readSlot('0x1')).toBe(123_454n)
})

test('continues after a hook that reverts, burns its gas or returns much data', async () => {
  const word: Hex = `0x${'cd'.repeat(32)}`
  const { status, gasUsed } = await execute([
    hookOf(reverting),
    hookOf(burning, 50_000n),
    hookOf(verbose, 50_000n),
    hookOf(recorder, 100_000n, word),
  ])
  expect([status, await readSlot('0x2')]).toEqual(['success', BigInt(word)])
  expect(gasUsed).toBeLessThan(250_000n)
})

test('reverts on too little gas instead of failing the hook', async () => {
  const hooks = [hookOf(recorder, 500_000n)]
  expect(await nameOf(simulate(settlementContract, hooks, 540_000n))).toBe('no error')
  expect(await nameOf(simulate(settlementContract, hooks, 520_000n))).toBe('NotEnoughGas')
})
