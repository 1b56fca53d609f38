import { type Address, concatHex, stringToHex } from 'viem'
import { networks } from '#shared/networks.ts'
import { create2Deployer } from '../../../contracts/create2Deployer.ts'
import type { LocalChain } from '../connectLocalChain.ts'
import { devAccounts } from '../devAccounts.ts'
import { sendFrom } from '../sendFrom.ts'
import { hasCode } from './hasCode.ts'
import { planSettlement } from './planSettlement.ts'

const salt = stringToHex('Mattresses in Berlin!', { size: 32 })
/** May upgrade the authenticator, and add and remove solvers. */
const manager = '0x6fb5916c0f57f88004d5b5eb25f6f4d77353a1ed'

export type SettlementContracts = {
  settlement: Address
  vaultRelayer: Address
  authenticator: Address
  manager: Address
}

/**
 * Deploys the settlement contract, its allow-list and, with them, the vault relayer, at their public addresses. The
 * deterministic deployer is part of anvil's genesis.
 * @throws Error when an address differs from `shared/networks.ts`
 */
export const deploySettlementContracts = async (chain: LocalChain): Promise<SettlementContracts> => {
  const { implementation, authenticator, settlement } = planSettlement(salt, manager)
  for (const { address, initCode } of [implementation, authenticator, settlement])
    if (!(await hasCode(chain, address)))
      await sendFrom(chain, devAccounts[7].address, { to: create2Deployer, data: concatHex([salt, initCode]) })
  const { settlementContract, vaultRelayer } = networks.sepolia
  if (settlement.address !== settlementContract)
    throw new Error(`settlement contract at ${settlement.address}: not the canonical address`)
  return { settlement: settlement.address, vaultRelayer, authenticator: authenticator.address, manager }
}
