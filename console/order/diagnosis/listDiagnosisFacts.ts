import { formatAmount } from '../../ui/formatAmount.ts'
import type { DebugReport, Order } from '../loading/loadOrder.ts'

/** A figure of a diagnosis with its unit. */
export type DiagnosisFact = { label: string } & (
  | { kind: 'amount'; atoms: string; token: string }
  | { kind: 'price'; price: string }
  | { kind: 'address' | 'order' | 'transaction' | 'time' | 'text'; value: string }
)

type Kind = 'sell' | 'buy' | 'funds' | 'price' | 'bps' | 'address' | 'order' | 'transaction' | 'time' | 'text'

/** Names of the report's `data`, in display order. */
const known: Record<string, [label: string, kind: Kind]> = {
  executedSellAmount: ['Sold', 'sell'],
  executedBuyAmount: ['Bought', 'buy'],
  needed: ['Needed', 'funds'],
  available: ['Available', 'funds'],
  limitPrice: ['Limit', 'price'],
  marketPrice: ['Market', 'price'],
  gapBps: ['Distance to the market', 'bps'],
  networkFee: ['Network cost of the quote', 'sell'],
  minSellAmount: ['Minimum size at this price', 'sell'],
  lent: ['Lent', 'funds'],
  sent: ['Sent', 'funds'],
  received: ['Received', 'funds'],
  failures: ['Reverted settlements', 'text'],
  nextBlock: ['Next attempt at block', 'text'],
  lastBlock: ['Block of the last failure', 'text'],
  solvers: ['Failed solvers', 'text'],
  attempts: ['Failed attempts', 'text'],
  outcome: ['Last result', 'text'],
  auctionId: ['Auction', 'text'],
  solver: ['Solver', 'address'],
  deadlineBlock: ['Deadline block', 'text'],
  token: ['Token', 'address'],
  spender: ['To approve', 'address'],
  target: ['Hook', 'address'],
  revert: ['Revert reason', 'text'],
  account: ['Account', 'address'],
  contract: ['Contract', 'address'],
  onchainUser: ['Placed for', 'address'],
  placementError: ['Placement error', 'text'],
  signingScheme: ['Signing scheme', 'text'],
  validFrom: ['Enters auctions', 'time'],
  expiredAt: ['Expired', 'time'],
  transaction: ['Transaction', 'transaction'],
  replacedBy: ['Replaced by', 'order'],
}

/** Shown in the head of the page already. */
const said = new Set(['owner', 'auctions', 'ofAccount', 'quotedSellAmount', 'quotedBuyAmount'])

/** Figures of a diagnosis by importance; unknown names come last, unchanged. */
export const listDiagnosisFacts = (data: DebugReport['diagnosis']['data'], order: Order): DiagnosisFact[] => {
  const token = typeof data.token === 'string' ? data.token : order.sellToken
  const hasFunds = data.needed !== undefined
  const names = Object.keys(data).filter(
    (name) => !said.has(name) && !(name === 'token' && hasFunds) && !(name === 'gapBps' && isMet(data.gapBps)),
  )
  const ranked = Object.keys(known)
  const rank = (name: string) => (ranked.includes(name) ? ranked.indexOf(name) : ranked.length)
  return [
    ...toMissing(data, token),
    ...names.toSorted((a, b) => rank(a) - rank(b)).flatMap((name) => toFact(name, data, token, order)),
    ...toAuctions(data.auctions),
  ]
}

/** The market price meets the limit, so the gap is not shown. */
const isMet = (gapBps: unknown): boolean => typeof gapBps === 'number' && gapBps <= 0

/** A price with its network fee is an offer after fees; one without is computed from native prices. */
const toLabel = (name: string, label: string, data: Record<string, unknown>): string =>
  name === 'marketPrice' && data.networkFee !== undefined ? 'Best quote after fees' : label

const toFact = (name: string, data: Record<string, unknown>, token: string, order: Order): DiagnosisFact[] => {
  const value = data[name]
  if (value === null || value === undefined) return []
  const text = typeof value === 'string' ? value : Array.isArray(value) ? value.join(', ') : JSON.stringify(value)
  const [title, kind] = known[name] ?? [name, 'text']
  const label = toLabel(name, title, data)
  switch (kind) {
    case 'sell':
      return toAmount(label, text, order.sellToken)
    case 'buy':
      return toAmount(label, text, order.buyToken)
    case 'funds':
      return toAmount(label, text, token)
    case 'price':
      return /^\d+(\.\d+)?$/.test(text) ? [{ label, kind, price: text }] : [{ label, kind: 'text', value: text }]
    case 'bps':
      return [
        {
          label,
          kind: 'text',
          value: typeof value === 'number' ? `${formatAmount(BigInt(Math.trunc(value)), 2)} %` : text,
        },
      ]
    default:
      return [{ label, kind, value: text }]
  }
}

const toAmount = (label: string, atoms: string, token: string): DiagnosisFact[] =>
  /^\d+$/.test(atoms) ? [{ label, kind: 'amount', atoms, token }] : [{ label, kind: 'text', value: atoms }]

const toMissing = ({ needed, available }: Record<string, unknown>, token: string): DiagnosisFact[] => {
  if (typeof needed !== 'string' || typeof available !== 'string') return []
  if (!/^\d+$/.test(needed) || !/^\d+$/.test(available)) return []
  const missing = BigInt(needed) - BigInt(available)
  return missing > 0n ? [{ label: 'Missing', kind: 'amount', atoms: String(missing), token }] : []
}

const toAuctions = (auctions: unknown): DiagnosisFact[] => {
  const { first, last } = (typeof auctions === 'object' && auctions ? auctions : {}) as Record<string, unknown>
  if (typeof first !== 'number' || typeof last !== 'number') return []
  const value = first === last ? String(first) : `${first}–${last}`
  return [{ label: 'Auctions', kind: 'text', value }]
}
