import { type Address, encodeFunctionData, parseAbi, stringToHex } from 'viem'
import type { Hook } from '#shared/appData/parseAppData.ts'
import { networks } from '#shared/networks.ts'
import type { LocalChain } from '#tools/stack/chain/connectLocalChain.ts'
import { readCompiledContract } from '#tools/stack/chain/contracts/readCompiledContract.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { waitForReceipt } from '#tools/stack/chain/waitForReceipt.ts'

const counterAbi = parseAbi([
  'function count(bytes32 key)',
  'function counts(address caller, bytes32 key) view returns (uint256)',
])

/** A contract that counts hooks. */
export type Counter = {
  address: Address
  /** counts once when it runs */
  buildHook: (key: string) => Hook
  /** number of runs by the trampoline */
  count: (key: string) => Promise<bigint>
}

export const deployCounter = async (chain: LocalChain): Promise<Counter> => {
  const { abi, creationCode } = readCompiledContract('Counter')
  const hash = await chain.deployContract({ abi, bytecode: creationCode, account: devAccounts[7].address })
  const { contractAddress } = await waitForReceipt(chain, hash)
  if (!contractAddress) throw new Error('the counter was not deployed')
  const address = contractAddress.toLowerCase() as Address
  const toKey = (key: string) => stringToHex(key, { size: 32 })
  return {
    address,
    buildHook: (key) => ({
      target: address,
      callData: encodeFunctionData({ abi: counterAbi, functionName: 'count', args: [toKey(key)] }),
      gasLimit: 60_000n,
    }),
    count: (key) =>
      chain.readContract({
        address,
        abi: counterAbi,
        functionName: 'counts',
        args: [networks.sepolia.hooksTrampoline, toKey(key)],
      }),
  }
}
