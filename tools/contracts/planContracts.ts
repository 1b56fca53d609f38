import { type Address, encodeDeployData, getContractAddress, type Hex, stringToHex } from 'viem'
import { listHandlers } from '../stack/chain/contracts/listHandlers.ts'
import { type PlannedContract, planContract, planSettlement } from '../stack/chain/contracts/planSettlement.ts'
import { readCompiledContract } from '../stack/chain/contracts/readCompiledContract.ts'
import { readMulticall3 } from '../stack/chain/contracts/readMulticall3.ts'

export type ContractPlan = {
  salt: Hex
  manager: Address
  /** in deployment order */
  contracts: PlannedContract[]
  authenticator: Address
  /** the setting `CONTRACTS` */
  addresses: {
    settlement: Address
    vaultRelayer: Address
    hooksTrampoline: Address
    ethFlow: Address
    composableCow: Address
    /** only where the chain lacks it at its public address */
    multicall3?: Address
  }
}

/**
 * The contracts of an order book and their addresses, which follow from salt, manager and wrapped native token.
 * @param options.salt any text of at most 32 bytes
 * @param options.manager may add and remove solvers, and upgrade the authenticator
 * @param options.lacksMulticall3 whether the chain has no Multicall3 at its public address; it is deployed then
 */
export const planContracts = (options: {
  salt: string
  manager: Address
  wrappedNative: Address
  lacksMulticall3?: boolean
}): ContractPlan => {
  const { manager, wrappedNative } = options
  const salt = stringToHex(options.salt, { size: 32 })
  const compiled = (name: string, file: string, args: readonly unknown[]): PlannedContract => {
    const { abi, creationCode, runtimeCode } = readCompiledContract(file)
    return planContract(salt, name, encodeDeployData({ abi, bytecode: creationCode, args }), runtimeCode)
  }

  const { implementation, authenticator, settlement } = planSettlement(salt, manager)
  const trampoline = compiled('hooks trampoline', 'HooksTrampoline', [settlement.address])
  const ethFlow = compiled('contract for native sales', 'EthFlow', [settlement.address, wrappedNative])
  const composableCow = compiled('registry of conditional orders', 'ComposableCow', [settlement.address])
  const handlers = listHandlers(composableCow.address).map(({ name, file, args }) => compiled(name, file, args))
  const account = compiled('code of plain accounts with conditional orders', 'ConditionalAccount', [
    composableCow.address,
  ])
  const { creationCode, runtimeCode } = readMulticall3()
  const multicall3 = options.lacksMulticall3 ? planContract(salt, 'Multicall3', creationCode, runtimeCode) : undefined
  return {
    salt,
    manager,
    contracts: [
      ...[implementation, authenticator, settlement, trampoline, ethFlow, composableCow, ...handlers, account],
      ...(multicall3 ? [multicall3] : []),
    ],
    authenticator: authenticator.address,
    addresses: {
      settlement: settlement.address,
      // made by the settlement contract's constructor
      vaultRelayer: getContractAddress({ from: settlement.address, nonce: 1n }).toLowerCase() as Address,
      hooksTrampoline: trampoline.address,
      ethFlow: ethFlow.address,
      composableCow: composableCow.address,
      ...(multicall3 ? { multicall3: multicall3.address } : {}),
    },
  }
}
