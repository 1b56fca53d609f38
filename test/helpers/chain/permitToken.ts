import { type Address, encodeFunctionData, erc20Abi, parseAbi, parseSignature } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Hook } from '#shared/appData/parseAppData.ts'
import { networks } from '#shared/networks.ts'
import type { LocalChain } from '#tools/stack/chain/connectLocalChain.ts'
import { readCompiledContract } from '#tools/stack/chain/contracts/readCompiledContract.ts'
import { type DevAccount, devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { waitForReceipt } from '#tools/stack/chain/waitForReceipt.ts'

const tokenAbi = parseAbi([
  'function mint(address to, uint256 amount)',
  'function nonces(address owner) view returns (uint256)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
])
const farDeadline = 2n ** 255n

/** A token with 18 decimals that takes approvals by signature (EIP-2612). */
export type PermitToken = {
  address: Address
  decimals: 18
  mint: (to: Address, amount: bigint) => Promise<void>
  balanceOf: (holder: Address) => Promise<bigint>
  allowance: (holder: Address, spender: Address) => Promise<bigint>
  /** A hook that approves `value` of the signer's tokens for the vault relayer; its signature is valid once. */
  signPermit: (signer: DevAccount, value: bigint, terms?: { deadline?: bigint; chainId?: number }) => Promise<Hook>
}

export const deployPermitToken = async (chain: LocalChain): Promise<PermitToken> => {
  const account = devAccounts[7].address
  const { abi, creationCode } = readCompiledContract('PermitToken')
  const hash = await chain.deployContract({ abi, bytecode: creationCode, account })
  const { contractAddress } = await waitForReceipt(chain, hash)
  if (!contractAddress) throw new Error('the token was not deployed')
  const address = contractAddress.toLowerCase() as Address
  return {
    address,
    decimals: 18,
    mint: (to, amount) =>
      sendFrom(chain, account, {
        to: address,
        data: encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args: [to, amount] }),
      }),
    balanceOf: (holder) => chain.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [holder] }),
    allowance: (...args) => chain.readContract({ address, abi: erc20Abi, functionName: 'allowance', args }),
    signPermit: async (signer, value, { deadline = farDeadline, chainId = networks.sepolia.chainId } = {}) => {
      const owner = signer.address
      const spender = networks.sepolia.vaultRelayer
      const nonce = await chain.readContract({ address, abi: tokenAbi, functionName: 'nonces', args: [owner] })
      const signature = await privateKeyToAccount(signer.privateKey).signTypedData({
        domain: { name: 'Permit Token', version: '1', chainId, verifyingContract: address },
        types: {
          Permit: [
            { name: 'owner', type: 'address' },
            { name: 'spender', type: 'address' },
            { name: 'value', type: 'uint256' },
            { name: 'nonce', type: 'uint256' },
            { name: 'deadline', type: 'uint256' },
          ],
        },
        primaryType: 'Permit',
        message: { owner, spender, value, nonce, deadline },
      })
      const { v, r, s } = parseSignature(signature)
      const args = [owner, spender, value, deadline, Number(v), r, s] as const
      return {
        target: address,
        callData: encodeFunctionData({ abi: tokenAbi, functionName: 'permit', args }),
        gasLimit: 100_000n,
      }
    },
  }
}

/** A hook in the app data format. */
const toHookText = ({ gasLimit, ...hook }: Hook) => ({ ...hook, gasLimit: gasLimit.toString() })

/** A document with hooks. */
export const buildHookDocument = (hooks: { pre?: Hook[]; post?: Hook[] }): string =>
  JSON.stringify({
    appCode: 'hooks',
    metadata: { hooks: { pre: (hooks.pre ?? []).map(toHookText), post: (hooks.post ?? []).map(toHookText) } },
  })
