import {
  type Address,
  concatHex,
  encodeFunctionData,
  getContract,
  type Hex,
  pad,
  parseAbi,
  zeroAddress,
  zeroHash,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { ChainClient } from '#tools/stack/chain/connectChain.ts'
import type { DevAccount } from '#tools/stack/chain/devAccounts.ts'
import { readArtifact } from '#tools/stack/chain/readArtifact.ts'

const artifacts = '@safe-global/safe-contracts/build/artifacts/contracts'
const safeAbi = parseAbi([
  'function setup(address[] owners, uint256 threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address paymentReceiver)',
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) payable returns (bool success)',
])
const factoryAbi = parseAbi([
  'function createProxyWithNonce(address singleton, bytes initializer, uint256 saltNonce) returns (address proxy)',
])

/** A Safe 1.4.1 with one owner. */
export type TestSafe = {
  address: Address
  /** The owner has the Safe call a contract. */
  call: (to: Address, data: Hex) => Promise<void>
  /** What the Safe's EIP-1271 handler accepts for a 32-byte digest: the owner's signature of a `SafeMessage`. */
  signDigest: (digest: Hex) => Promise<Hex>
}

/** Deploys the Safe contracts and one Safe on the local chain. */
export const deploySafe = async (chain: ChainClient, owner: DevAccount): Promise<TestSafe> => {
  const account = owner.address
  const deploy = async (path: string): Promise<Address> => {
    const { bytecode } = readArtifact(`${artifacts}/${path}`)
    const hash = await chain.deployContract({ abi: [], bytecode: bytecode as Hex, account })
    const { contractAddress } = await chain.waitForTransactionReceipt({ hash })
    if (!contractAddress) throw new Error(`${path} was not deployed`)
    return contractAddress
  }
  const singleton = await deploy('Safe.sol/Safe.json')
  const handler = await deploy('handler/CompatibilityFallbackHandler.sol/CompatibilityFallbackHandler.json')
  const factory = getContract({
    address: await deploy('proxies/SafeProxyFactory.sol/SafeProxyFactory.json'),
    abi: factoryAbi,
    client: chain,
  })
  const initializer = encodeFunctionData({
    abi: safeAbi,
    functionName: 'setup',
    args: [[account], 1n, zeroAddress, '0x', handler, zeroAddress, 0n, zeroAddress],
  })
  const { result: address, request } = await factory.simulate.createProxyWithNonce([singleton, initializer, 0n], {
    account,
  })
  await chain.waitForTransactionReceipt({ hash: await chain.writeContract(request) })

  // the owner calls in person, which counts as its signature: r = owner, s = 0, v = 1
  const inPerson = concatHex([pad(account), zeroHash, '0x01'])
  return {
    address,
    call: async (to, data) => {
      const hash = await chain.writeContract({
        account,
        address,
        abi: safeAbi,
        functionName: 'execTransaction',
        args: [to, 0n, data, 0, 0n, 0n, 0n, zeroAddress, zeroAddress, inPerson],
      })
      const receipt = await chain.waitForTransactionReceipt({ hash })
      if (receipt.status !== 'success') throw new Error(`the Safe's call to ${to} reverted`)
    },
    signDigest: (digest) =>
      privateKeyToAccount(owner.privateKey).signTypedData({
        domain: { chainId: chain.chain.id, verifyingContract: address },
        types: { SafeMessage: [{ name: 'message', type: 'bytes' }] },
        primaryType: 'SafeMessage',
        message: { message: digest },
      }),
  }
}
