import type { Address } from 'viem'
import { authenticatorAbi } from '#shared/chain/authenticatorAbi.ts'
import { isContractFault } from '#shared/chain/calls/isContractFault.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import type { Network } from '#shared/networks.ts'

/**
 * Finds which `addresses` the settlement contract's authenticator allows to settle. A failing call excludes only its
 * own account.
 * @throws Error when the node fails
 */
export const findAllowedSolvers = async (
  { network, chain }: { network: Network; chain: ChainClient },
  state: { authenticator: Address | undefined },
  addresses: readonly Address[],
): Promise<ReadonlySet<Address>> => {
  // the settlement contract's authenticator is immutable
  state.authenticator ??= await chain.readContract({
    address: network.settlementContract,
    abi: settlementAbi,
    functionName: 'authenticator',
  })
  const authenticator = state.authenticator
  const responses = await chain.multicall({
    contracts: addresses.map(
      (address) =>
        ({ address: authenticator, abi: authenticatorAbi, functionName: 'isSolver', args: [address] }) as const,
    ),
  })
  const fault = responses.find(({ error }) => error && !isContractFault(error))
  if (fault) throw fault.error
  return new Set(addresses.filter((_, i) => responses[i]?.result === true))
}
