import { type Address, type Hex, parseEventLogs, size } from 'viem'
import type { OnchainOrderEvents } from '#schema/queries/chain/insertContractEvents.ts'
import { orderUidLength } from '#shared/signing/orderUid.ts'
import type { MinedLog } from '../chain/checkLogs.ts'
import type { IndexedContracts } from '../indexedContracts.ts'
import { onchainOrdersAbi } from './onchainOrdersAbi.ts'
import { type Placement, readPlacement } from './readPlacement.ts'

/** Events of contracts that place orders in a range of blocks, unverified. */
export type RawOnchainEvents = Pick<OnchainOrderEvents, 'cancellations' | 'refunds'> & { placements: Placement[] }

/**
 * Parses the logs of contracts that place orders. Logs are untrusted: malformed ones, and placements on behalf of
 * another contract, are skipped.
 */
export const readOnchainEvents = (logs: readonly MinedLog[], contracts: IndexedContracts): RawOnchainEvents => {
  const found: RawOnchainEvents = { placements: [], cancellations: [], refunds: [] }
  for (const log of parseEventLogs({ abi: onchainOrdersAbi, logs: [...logs], strict: true })) {
    if (log.eventName === 'OrderPlacement') {
      const placement = readPlacement(log, contracts)
      if (placement && speaksForOwner(placement, contracts)) found.placements.push(placement)
      continue
    }
    const { orderUid } = log.args
    if (size(orderUid) !== orderUidLength) continue
    const end = { ...toPlace(log), orderUid, transactionHash: log.transactionHash }
    if (log.eventName === 'OrderInvalidation') found.cancellations.push(end)
    else found.refunds.push(end)
  }
  return found
}

const speaksForOwner = ({ owner, contract }: Placement, { onchainOrderContracts }: IndexedContracts): boolean =>
  owner === contract || !onchainOrderContracts.includes(owner)

const toPlace = (log: { address: Address; blockNumber: bigint; logIndex: number; transactionHash: Hex }) => ({
  blockNumber: Number(log.blockNumber),
  logIndex: log.logIndex,
  contract: log.address.toLowerCase() as Address,
})
