import { type Address, type Hex, toHex } from 'viem'
import type { LocalChain } from '../connectLocalChain.ts'
import { hasCode } from './hasCode.ts'

/**
 * Installs runtime code and storage at a contract's public address. The code comes last: with it the contract is
 * complete, and a second call changes nothing.
 */
export const installContract = async (
  chain: LocalChain,
  address: Address,
  contract: { code: Hex; storage?: Record<Hex, Hex> | undefined },
): Promise<void> => {
  if (await hasCode(chain, address)) return
  for (const [index, value] of Object.entries(contract.storage ?? {}))
    await chain.setStorageAt({ address, index: toHex(BigInt(index), { size: 32 }), value })
  await chain.setCode({ address, bytecode: contract.code })
}
