import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { publicContracts } from '../../../shared/strategies/publicContracts.ts'
import { encodeApproval } from '../../actions/approval.ts'
import { buildWrapping } from '../../actions/wrapping.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import type { WalletCall } from '../../wallet/sendCalls.ts'
import type { NewTwap } from './buildTwap.ts'
import { computeOrderDomain, type SafeSetUp } from './safeSetUp.ts'

const abi = parseAbi([
  'struct Params { address handler; bytes32 salt; bytes staticInput; }',
  'function setFallbackHandler(address handler)',
  'function setDomainVerifier(bytes32 domainSeparator, address verifier)',
  'function createWithContext(Params params, address factory, bytes data, bool dispatch)',
])

/** Kinds of calls of a creation, in their order. */
export type TwapStepName = 'wrap' | 'setFallbackHandler' | 'setDomainVerifier' | 'approve' | 'create'

type Facts = {
  network: Pick<Network, 'chainId' | 'settlementContract' | 'vaultRelayer' | 'wrappedNative' | 'composableCow'>
  safe: string
  setUp: SafeSetUp
  /** the native token is sold, as the wrapped one */
  isWrapped: boolean
  /** vault relayer's allowance of the sell token, atoms; undefined: unknown */
  allowance: bigint | undefined
  /** the sell token changes an approval above 0 only after one of 0 */
  isReset: boolean
}

/** What a creation takes beside the call of the registry, without its calldata. */
export const listSteps = ({ setUp, network, isWrapped, allowance = 0n }: Facts, total: bigint): TwapStepName[] => {
  const isHandled = setUp.fallbackHandler === publicContracts.fallbackHandler
  const isVerified = setUp.verifier === network.composableCow
  return [
    ...(isWrapped ? (['wrap'] as const) : []),
    ...(isHandled ? [] : (['setFallbackHandler'] as const)),
    ...(isVerified ? [] : (['setDomainVerifier'] as const)),
    ...(allowance < total ? (['approve'] as const) : []),
    'create',
  ]
}

/**
 * The calls of a Safe that create a TWAP, for one transaction. A missing approval is added to the present one, which other
 * orders of the Safe may need.
 */
export const buildTwapCalls = (facts: Facts, { twap, params }: NewTwap): WalletCall[] => {
  const { network, safe, isReset, allowance = 0n } = facts
  const total = twap.partSellAmount * twap.n
  const approve = (amount: bigint): WalletCall => ({
    to: twap.sellToken,
    data: encodeApproval(network.vaultRelayer, amount),
  })
  const build: Record<TwapStepName, () => WalletCall[]> = {
    wrap: () => [buildWrapping('wrap', network.wrappedNative, total)],
    setFallbackHandler: () => [
      {
        to: safe,
        data: encodeFunctionData({
          abi,
          functionName: 'setFallbackHandler',
          args: [publicContracts.fallbackHandler],
        }),
      },
    ],
    // the Safe forwards it to its fallback handler
    setDomainVerifier: () => [
      {
        to: safe,
        data: encodeFunctionData({
          abi,
          functionName: 'setDomainVerifier',
          args: [computeOrderDomain(network), network.composableCow as Hex],
        }),
      },
    ],
    approve: () => [...(isReset ? [approve(0n)] : []), approve(allowance + total)],
    create: () => [
      {
        to: network.composableCow,
        data: encodeFunctionData({
          abi,
          functionName: 'createWithContext',
          args: [params, publicContracts.startTimes, '0x', true],
        }),
      },
    ],
  }
  return listSteps(facts, total).flatMap((step) => build[step]())
}
