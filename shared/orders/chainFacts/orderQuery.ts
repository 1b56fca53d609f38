import type { Address, Hex } from 'viem'
import type { Simulate } from '../../chain/calls/simulateCalls.ts'
import type { ChainClient } from '../../chain/connectChain.ts'
import type { OrderInteraction } from '../../hooks/buildHookInteractions.ts'
import type { FundsNetwork } from '../../hooks/simulateFunds.ts'
import type { Network } from '../../networks.ts'

/** Parameters of the on-chain facts of an order. */
export type OrderQuery = {
  uid: Hex
  digest: Hex
  owner: Address
  sellToken: Address
  /** calls of the settlement contract before the trade; all facts are those after them */
  preInteractions: readonly OrderInteraction[]
  /** signature to check with the owner's contract; undefined unless the scheme is `eip1271` */
  contractSignature: Hex | undefined
  /** transfers to try in sequence, sell token atoms; the first that succeeds counts */
  transfers: readonly bigint[]
  /** payout to try; undefined: none */
  payout: { buyToken: Address; beneficiary: Address; amount: bigint } | undefined
  /** gas units of the signature check: the maximum gas of settling the order */
  maxGas: bigint
}

export type OrderFactsDeps = {
  network: FundsNetwork & Pick<Network, 'hooksTrampoline'>
  simulate: Simulate
  /** for nodes that cannot simulate */
  connect: () => ChainClient
}
