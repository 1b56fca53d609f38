import {
  type Address,
  concatHex,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  parseAbi,
  stringToHex,
} from 'viem'
import { networks } from '#shared/networks.ts'
import type { LocalChain } from '../connectLocalChain.ts'
import { devAccounts } from '../devAccounts.ts'
import { sendFrom } from '../sendFrom.ts'
import { hasCode } from './hasCode.ts'
import { readArtifact } from './readArtifact.ts'

/** The deterministic deployer of every chain, part of anvil's genesis: calldata = salt ‖ init code. */
const create2Deployer = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
const salt = stringToHex('Mattresses in Berlin!', { size: 32 })
/** Balancer's vault: an immutable of the settlement contract, used only for its internal balances. */
const balancerVault = '0xba12222222228d8ba445958a75a0704d566bf2c8'
/** May upgrade the authenticator, and add and remove solvers. */
const manager = '0x6fb5916c0f57f88004d5b5eb25f6f4d77353a1ed'

export type SettlementContracts = {
  settlement: Address
  vaultRelayer: Address
  authenticator: Address
  manager: Address
}

/**
 * Deploys the settlement contract, its allow-list and, with them, the vault relayer, at their public addresses. Uses
 * the published creation code: another compilation has another address.
 * @throws Error when an address differs from `shared/networks.ts`
 */
export const deploySettlementContracts = async (chain: LocalChain): Promise<SettlementContracts> => {
  const implementation = await deploy(chain, initCode('GPv2AllowListAuthentication_Implementation'))
  const authenticator = await deploy(
    chain,
    encodeDeployData({
      abi: parseAbi(['constructor(address implementation, address owner, bytes data)']),
      bytecode: initCode('GPv2AllowListAuthentication_Proxy'),
      args: [
        implementation,
        manager,
        encodeFunctionData({ abi: parseAbi(['function initializeManager(address)']), args: [manager] }),
      ],
    }),
  )
  const settlement = await deploy(
    chain,
    encodeDeployData({
      abi: parseAbi(['constructor(address authenticator, address vault)']),
      bytecode: initCode('GPv2Settlement'),
      args: [authenticator, balancerVault],
    }),
  )
  const vaultRelayer = await chain.readContract({
    address: settlement,
    abi: parseAbi(['function vaultRelayer() view returns (address)']),
    functionName: 'vaultRelayer',
  })
  const expected = networks.sepolia
  if (settlement !== expected.settlementContract || vaultRelayer.toLowerCase() !== expected.vaultRelayer)
    throw new Error(
      `settlement contract at ${settlement}, vault relayer at ${vaultRelayer}: not the canonical addresses`,
    )
  return { settlement, vaultRelayer: expected.vaultRelayer, authenticator, manager }
}

const initCode = (name: string): Hex => readArtifact(`@cowprotocol/contracts/deployments/mainnet/${name}.json`).bytecode

const deploy = async (chain: LocalChain, bytecode: Hex): Promise<Address> => {
  const address = getContractAddress({
    opcode: 'CREATE2',
    from: create2Deployer,
    salt,
    bytecode,
  }).toLowerCase() as Address
  if (!(await hasCode(chain, address)))
    await sendFrom(chain, devAccounts[7].address, { to: create2Deployer, data: concatHex([salt, bytecode]) })
  return address
}
