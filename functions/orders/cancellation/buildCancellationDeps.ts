import type { Database } from '#schema/client.ts'
import { selectCancellationFacts, updateCancelledOrders } from '#schema/queries/orders/cancellations.ts'
import type { Network } from '#shared/networks.ts'
import { computeDomainSeparator } from '#shared/signing/domainSeparator.ts'
import type { RecoverPublicKey } from '#shared/signing/recoverPublicKey.ts'
import type { CancellationDeps } from './cancelOrders.ts'

/** Builds the dependencies of cancellations from a network and its database. */
export const buildCancellationDeps = (
  { chainId, settlementContract }: Pick<Network, 'chainId' | 'settlementContract'>,
  database: Database,
  recoverPublicKey: RecoverPublicKey,
): CancellationDeps => ({
  domainSeparator: computeDomainSeparator(chainId, settlementContract),
  now: Date.now,
  recoverPublicKey,
  selectCancellationFacts: (uids) => selectCancellationFacts(database, chainId, uids),
  updateCancelledOrders: (uids, at) => updateCancelledOrders(database, chainId, uids, at),
})
