import { concatHex, formatEther, type Hex, hexToBytes, keccak256 } from 'viem'
import type { Network } from '#shared/networks.ts'
import type { PlannedContract } from '../stack/chain/contracts/planSettlement.ts'
import type { OperatorChain } from './connectOperator.ts'
import { create2Deployer, create2Deployment } from './create2Deployer.ts'
import { deployDeployer, sendConfirmed } from './deployDeployer.ts'
import type { ContractPlan } from './planContracts.ts'
import { verifyContracts } from './verifyContracts.ts'

type Log = (line: string) => void

/**
 * Deploys what is missing, in order, then verifies everything. A second run continues after a failure.
 * @throws Error when the node serves another chain, the wrapped native token has no code, a contract differs, or a
 *   transaction fails
 */
export const deployContracts = async (
  chain: OperatorChain,
  network: Network,
  plan: ContractPlan,
  { dryRun, log }: { dryRun: boolean; log: Log },
): Promise<void> => {
  const chainId = await chain.getChainId()
  if (chainId !== network.chainId) throw new Error(`the node has chain id ${chainId}, not ${network.chainId}`)
  const { wrappedNative } = network
  if (!(await chain.getCode({ address: wrappedNative })))
    throw new Error(`wrappedNative: the chain has no code at ${wrappedNative}`)
  const missing: PlannedContract[] = []
  for (const contract of plan.contracts) {
    const isThere = await isDeployed(chain, contract)
    log(`  ${contract.name}: ${contract.address}${isThere ? ', is there' : ''}`)
    if (!isThere) missing.push(contract)
  }
  const isDeployerMissing = missing.length > 0 && !(await chain.getCode({ address: create2Deployer }))
  if (isDeployerMissing) log(`  deterministic deployer: ${create2Deployer}, made first`)
  await reportCost(chain, network, missing, isDeployerMissing, log)
  if (dryRun) return

  if (isDeployerMissing) await deployDeployer(chain)
  for (const contract of missing) {
    await sendConfirmed(chain, { to: create2Deployer, data: concatHex([plan.salt, contract.initCode]) })
    if (!(await isDeployed(chain, contract))) throw new Error(`${contract.name}: no code at ${contract.address}`)
    log(`  ${contract.name}: deployed`)
  }
  await verifyContracts(chain, network, plan)
  for (const { name, address } of plan.contracts)
    log(`  ${name}: code hash ${keccak256((await chain.getCode({ address })) ?? '0x')}`)
}

/** @throws Error when there is other code at its address */
const isDeployed = async (chain: OperatorChain, { name, address, runtimeCode }: PlannedContract): Promise<boolean> => {
  const code = await chain.getCode({ address })
  if (!code) return false
  if (!isRuntimeOf(code, runtimeCode)) throw new Error(`${name}: the code at ${address} is another`)
  return true
}

/** Immutables are zero in the contract's own code, so that its zero bytes match any. */
const isRuntimeOf = (code: Hex, runtimeCode: Hex): boolean => {
  const found = hexToBytes(code)
  const expected = hexToBytes(runtimeCode)
  return found.length === expected.length && expected.every((byte, i) => byte === 0 || byte === found[i])
}

const reportCost = async (
  chain: OperatorChain,
  { nativeSymbol }: Network,
  missing: readonly PlannedContract[],
  isDeployerMissing: boolean,
  log: Log,
): Promise<void> => {
  const gas = missing.reduce((sum, contract) => sum + contract.gas, 0n)
  const fixed = isDeployerMissing ? create2Deployment.price : 0n
  const gasPrice = await chain.getGasPrice()
  const balance = await chain.getBalance({ address: chain.account.address })
  const cost = gas * gasPrice + fixed
  log(`  at most ${gas} gas, ${formatEther(cost)} ${nativeSymbol} at ${gasPrice} wei per gas`)
  log(`  ${chain.account.address} has ${formatEther(balance)} ${nativeSymbol}`)
}
