import type { components } from '../../api/openapi.d.ts'

type OrderEvent = Pick<components['schemas']['OrderEvent'], 'label' | 'reason' | 'auctionId' | 'status' | 'data'>

const labels: Record<OrderEvent['label'], string> = {
  created: 'The order book has the order',
  ready: 'It takes part in the next auction',
  filtered: 'It waits: the auctions exclude it now',
  invalid: 'It cannot be filled as it is now',
  considered: 'A solver offered to fill it, others won the auction',
  executing: 'A solver won the auction with it and is settling it on the chain',
  traded: 'It was settled on the chain',
  cancelled: 'It was cancelled',
  expired: 'It expired',
  undone: 'A reorganisation of the chain undid an event',
}

/** Reasons of filtered and invalid orders. */
const reasons: Record<string, string> = {
  settlement_failed: 'It waits: its settlement failed',
  in_flight: 'It waits: a settlement of it is on its way',
  out_of_market: 'It waits for the market to come to its price',
  dust_order: 'The rest of it is too small to trade',
  missing_native_price: 'It waits: one of its tokens has no price',
  insufficient_balance: 'The account’s balance of the sell token is too low',
  insufficient_allowance: 'The vault relayer’s allowance for the sell token is too low',
  invalid_signature: 'Its signature is not accepted now',
  unsupported_token: 'One of its tokens is not traded here',
  banned_user: 'The account is banned here',
  hook_reverts: 'Its pre-hook fails',
}

/** An event of an order in one line. */
export const describeEvent = ({ label, reason, auctionId, status, data }: OrderEvent): string => {
  if (label === 'traded')
    return status === 'fulfilled' ? 'It was filled on the chain' : 'A part of it was settled on the chain'
  if (label === 'undone') return `${labels.undone}${typeof data?.label === 'string' ? `: ${data.label}` : ''}`
  if (reason === 'settlement_failed' && typeof data?.nextBlock === 'number' && typeof data.failures === 'number') {
    return describeBackOff(data.failures, data.nextBlock, data.ofAccount === true)
  }
  const text = (reason !== null && reasons[reason]) || labels[label]
  return auctionId === null ? text : `${text} (auction ${auctionId})`
}

/** Number of reverted settlements of an order, and the time of the next attempt. */
const describeBackOff = (failures: number, nextBlock: number, ofAccount: boolean): string => {
  const times = failures === 1 ? 'once' : failures === 2 ? 'twice' : `${failures} times`
  return `${ofAccount ? 'Settlement of other orders of the account' : 'Settlement'} reverted ${times}; next attempt at block ${nextBlock}`
}
