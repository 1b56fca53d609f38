import { authenticatorAbi } from '#shared/chain/authenticatorAbi.ts'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import type { Network } from '#shared/networks.ts'
import { computeDomainSeparator } from '#shared/signing/domainSeparator.ts'
import type { OperatorChain } from './connectOperator.ts'
import type { ContractPlan } from './planContracts.ts'

/** @throws Error naming a fact that differs from the plan */
export const verifyContracts = async (chain: OperatorChain, network: Network, plan: ContractPlan): Promise<void> => {
  const { settlement, vaultRelayer } = plan.addresses
  const read = { address: settlement, abi: settlementAbi } as const
  const facts: [name: string, found: string, expected: string][] = [
    [
      'manager',
      await chain.readContract({ address: plan.authenticator, abi: authenticatorAbi, functionName: 'manager' }),
      plan.manager,
    ],
    ['authenticator', await chain.readContract({ ...read, functionName: 'authenticator' }), plan.authenticator],
    ['vault relayer', await chain.readContract({ ...read, functionName: 'vaultRelayer' }), vaultRelayer],
    [
      'signing domain',
      await chain.readContract({ ...read, functionName: 'domainSeparator' }),
      computeDomainSeparator(network.chainId, settlement),
    ],
  ]
  for (const [name, found, expected] of facts)
    if (found.toLowerCase() !== expected.toLowerCase()) throw new Error(`${name} is ${found}, not ${expected}`)
}
