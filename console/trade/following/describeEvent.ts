import type { components } from '../../api/openapi.d.ts'

type OrderEvent = Pick<components['schemas']['OrderEvent'], 'label' | 'reason' | 'auctionId' | 'status' | 'data'>

const labels: Record<OrderEvent['label'], string> = {
  created: 'Order placed',
  ready: 'Entered the auctions',
  filtered: 'Waiting: excluded from the auctions',
  invalid: 'Cannot be filled at the moment',
  considered: 'A solver offered to fill it but lost the auction',
  executing: 'A solver won the auction and is settling the order',
  traded: 'Settled on-chain',
  cancelled: 'Cancelled',
  expired: 'Expired',
  undone: 'Undone by a chain reorganisation',
}

/** Reasons of filtered and invalid orders. */
const reasons: Record<string, string> = {
  settlement_failed: 'Waiting: its settlement failed',
  in_flight: 'Waiting: a settlement is in progress',
  out_of_market: 'Waiting for price',
  auction_full: 'Waiting for its turn: the auction is full',
  dust_order: 'The remaining amount is too small to trade',
  missing_native_price: 'Waiting: one of its tokens has no price',
  insufficient_balance: 'Balance of the sell token too low',
  insufficient_allowance: 'Needs approval of the sell token',
  invalid_signature: 'Signature not valid at the moment',
  paused: 'Waiting: paused by the operator',
  unsupported_token: 'One of its tokens is not supported',
  banned_user: 'The account is banned',
  hook_reverts: 'Its pre-hook reverts',
}

/** An event of an order in one line. */
export const describeEvent = ({ label, reason, auctionId, status, data }: OrderEvent): string => {
  if (label === 'traded') return status === 'fulfilled' ? 'Filled' : 'Partially filled'
  if (label === 'undone') return `${labels.undone}${typeof data?.label === 'string' ? `: ${data.label}` : ''}`
  if (reason === 'settlement_failed' && typeof data?.nextBlock === 'number' && typeof data.failures === 'number') {
    return describeBackOff(data.failures, data.nextBlock)
  }
  const text = (reason !== null && reasons[reason]) || labels[label]
  return auctionId === null ? text : `${text} (auction ${auctionId})`
}

/** Number of reverted settlements of an order, and the time of the next attempt. */
const describeBackOff = (failures: number, nextBlock: number): string => {
  const times = failures === 1 ? 'once' : failures === 2 ? 'twice' : `${failures} times`
  return `Settlement reverted ${times}; next attempt at block ${nextBlock}`
}
