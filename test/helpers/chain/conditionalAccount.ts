import { type Address, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { networks } from '#shared/networks.ts'
import type { LocalChain } from '#tools/stack/chain/connectLocalChain.ts'
import { readCompiledContract } from '#tools/stack/chain/contracts/readCompiledContract.ts'
import type { DevAccount } from '#tools/stack/chain/devAccounts.ts'
import { waitForReceipt } from '#tools/stack/chain/waitForReceipt.ts'

/** A plain account delegates to `contracts/ConditionalAccount.sol` (EIP-7702), which is deployed before. */
export const delegateAccount = async (chain: LocalChain, { address, privateKey }: DevAccount): Promise<Address> => {
  const { abi, creationCode } = readCompiledContract('ConditionalAccount')
  const args = [networks.sepolia.composableCow]
  const deployment = await chain.deployContract({ abi, bytecode: creationCode, args, account: address })
  const { contractAddress } = await waitForReceipt(chain, deployment)
  if (!contractAddress) throw new Error('ConditionalAccount was not deployed')
  const account = privateKeyToAccount(privateKey)
  // the account's own transaction takes its nonce first
  const authorization = await chain.signAuthorization({ account, contractAddress, executor: 'self' })
  const hash = await chain.sendTransaction({ account, to: zeroAddress, authorizationList: [authorization] })
  await waitForReceipt(chain, hash)
  return contractAddress
}
