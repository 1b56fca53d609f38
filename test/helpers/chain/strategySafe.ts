import { type Address, encodeFunctionData, parseAbi } from 'viem'
import { type Network, networks } from '#shared/networks.ts'
import { computeDomainSeparator } from '#shared/signing/domainSeparator.ts'
import { composableCowAbi } from '#shared/strategies/composableCowAbi.ts'
import type { ConditionalParams } from '#shared/strategies/hashParams.ts'
import type { LocalChain } from '#tools/stack/chain/connectLocalChain.ts'
import { listHandlers } from '#tools/stack/chain/contracts/listHandlers.ts'
import type { DevAccount } from '#tools/stack/chain/devAccounts.ts'
import { deploySafe, type TestSafe } from './safe.ts'

const network = networks.sepolia

const safeAbi = parseAbi([
  'function setFallbackHandler(address handler)',
  'function setDomainVerifier(bytes32 domainSeparator, address verifier)',
])

/** Public address of a handler of conditional orders, by its file in contracts/. */
export const findHandler = (file: string): Address => {
  const handler = listHandlers(network.composableCow).find((listed) => listed.file === file)
  if (!handler) throw new Error(`no handler ${file}`)
  return handler.publicAddress
}

/** A Safe whose conditional orders the registry verifies. */
export const deployStrategySafe = async (
  chain: LocalChain,
  owner: DevAccount,
  { chainId, settlementContract }: Pick<Network, 'chainId' | 'settlementContract'> = network,
): Promise<TestSafe> => {
  const safe = await deploySafe(chain, owner)
  const domainSeparator = computeDomainSeparator(chainId, settlementContract)
  await safe.call(
    safe.address,
    encodeFunctionData({
      abi: safeAbi,
      functionName: 'setFallbackHandler',
      args: [findHandler('ExtensibleFallbackHandler')],
    }),
  )
  await safe.call(
    safe.address,
    encodeFunctionData({
      abi: safeAbi,
      functionName: 'setDomainVerifier',
      args: [domainSeparator, network.composableCow],
    }),
  )
  return safe
}

/** The Safe authorises a conditional order, with an event. */
export const createConditionalOrder = (safe: TestSafe, params: ConditionalParams): Promise<void> =>
  safe.call(
    network.composableCow,
    encodeFunctionData({ abi: composableCowAbi, functionName: 'create', args: [params, true] }),
  )
