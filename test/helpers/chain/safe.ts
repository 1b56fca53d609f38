import { type Address, concatHex, encodeFunctionData, type Hex, pad, parseAbi, zeroAddress, zeroHash } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { LocalChain } from '#tools/stack/chain/connectLocalChain.ts'
import { readArtifact } from '#tools/stack/chain/contracts/readArtifact.ts'
import type { DevAccount } from '#tools/stack/chain/devAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { waitForReceipt } from '#tools/stack/chain/waitForReceipt.ts'

const artifacts = '@safe-global/safe-contracts/build/artifacts/contracts'
const safeAbi = parseAbi([
  'function setup(address[] owners, uint256 threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address paymentReceiver)',
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) payable returns (bool success)',
])
const factoryAbi = parseAbi([
  'function createProxyWithNonce(address singleton, bytes initializer, uint256 saltNonce) returns (address proxy)',
])

/** A call from any account. */
type Call = { to: Address; data: Hex }

/** A Safe 1.4.1 with one owner, possibly not deployed yet. */
export type PlannedSafe = {
  address: Address
  /** deploys it */
  deployment: Call
  /** makes the Safe's first call with its owner's signature */
  signFirstCall: (to: Address, data: Hex) => Promise<Call>
  /**
   * Signature that the Safe's EIP-1271 handler accepts for a 32-byte digest: the owner's signature of a `SafeMessage`.
   */
  signDigest: (digest: Hex) => Promise<Hex>
}

export type TestSafe = Pick<PlannedSafe, 'address' | 'signDigest'> & {
  /** Makes the Safe call a contract. */
  call: (to: Address, data: Hex) => Promise<void>
}

const safeTxTypes = {
  SafeTx: [
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'data', type: 'bytes' },
    { name: 'operation', type: 'uint8' },
    { name: 'safeTxGas', type: 'uint256' },
    { name: 'baseGas', type: 'uint256' },
    { name: 'gasPrice', type: 'uint256' },
    { name: 'gasToken', type: 'address' },
    { name: 'refundReceiver', type: 'address' },
    { name: 'nonce', type: 'uint256' },
  ],
} as const

/** Deploys the Safe contracts, but no Safe. */
export const planSafe = async (chain: LocalChain, owner: DevAccount): Promise<PlannedSafe> => {
  const account = owner.address
  const deploy = async (path: string): Promise<Address> => {
    const { bytecode } = readArtifact(`${artifacts}/${path}`)
    const hash = await chain.deployContract({ abi: [], bytecode: bytecode as Hex, account })
    const { contractAddress } = await waitForReceipt(chain, hash)
    if (!contractAddress) throw new Error(`${path} was not deployed`)
    return contractAddress
  }
  const singleton = await deploy('Safe.sol/Safe.json')
  const handler = await deploy('handler/CompatibilityFallbackHandler.sol/CompatibilityFallbackHandler.json')
  const factory = await deploy('proxies/SafeProxyFactory.sol/SafeProxyFactory.json')
  const initializer = encodeFunctionData({
    abi: safeAbi,
    functionName: 'setup',
    args: [[account], 1n, zeroAddress, '0x', handler, zeroAddress, 0n, zeroAddress],
  })
  const creation = {
    abi: factoryAbi,
    functionName: 'createProxyWithNonce',
    args: [singleton, initializer, 0n],
  } as const
  const { result } = await chain.simulateContract({ address: factory, account, ...creation })
  const address = result.toLowerCase() as Address
  const domain = { chainId: chain.chain.id, verifyingContract: address }
  const signer = privateKeyToAccount(owner.privateKey)
  return {
    address,
    deployment: { to: factory, data: encodeFunctionData(creation) },
    signFirstCall: async (to, data) => {
      const signature = await signer.signTypedData({
        domain,
        types: safeTxTypes,
        primaryType: 'SafeTx',
        message: {
          to,
          data,
          value: 0n,
          operation: 0,
          safeTxGas: 0n,
          baseGas: 0n,
          gasPrice: 0n,
          gasToken: zeroAddress,
          refundReceiver: zeroAddress,
          nonce: 0n,
        },
      })
      const args = [to, 0n, data, 0, 0n, 0n, 0n, zeroAddress, zeroAddress, signature] as const
      return { to: address, data: encodeFunctionData({ abi: safeAbi, functionName: 'execTransaction', args }) }
    },
    signDigest: (digest) =>
      signer.signTypedData({
        domain,
        types: { SafeMessage: [{ name: 'message', type: 'bytes' }] },
        primaryType: 'SafeMessage',
        message: { message: digest },
      }),
  }
}

/** Deploys the Safe contracts and one Safe on the local chain. */
export const deploySafe = async (chain: LocalChain, owner: DevAccount): Promise<TestSafe> => {
  const { address, deployment, signDigest } = await planSafe(chain, owner)
  const account = owner.address
  await sendFrom(chain, account, deployment)
  // a call by the owner counts as its signature: r = owner, s = 0, v = 1
  const inPerson = concatHex([pad(account), zeroHash, '0x01'])
  return {
    address,
    signDigest,
    call: (to, data) => {
      const args = [to, 0n, data, 0, 0n, 0n, 0n, zeroAddress, zeroAddress, inPerson] as const
      const call = encodeFunctionData({ abi: safeAbi, functionName: 'execTransaction', args })
      return sendFrom(chain, account, { to: address, data: call })
    },
  }
}
