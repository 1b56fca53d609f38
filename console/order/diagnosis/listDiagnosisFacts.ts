import type { DebugReport } from '../loading/loadOrder.ts'
import { factNames } from './factNames.ts'
import { type DiagnosisFact, type ShownTokens, toFact } from './toFact.ts'

const shownInHead = new Set(['owner', 'auctions', 'quotedSellAmount', 'quotedBuyAmount'])

/** Figures of a diagnosis by importance; unknown names come last, unchanged. */
export const listDiagnosisFacts = (data: DebugReport['diagnosis']['data'], order: ShownTokens): DiagnosisFact[] => {
  const token = typeof data.token === 'string' ? data.token : order.sellToken
  const hasFunds = data.needed !== undefined
  // a price that meets the limit shows no gap
  const isMet = (name: string) =>
    ['gapBps', 'midGapBps'].includes(name) && typeof data[name] === 'number' && data[name] <= 0
  const names = Object.keys(data).filter(
    (name) => !shownInHead.has(name) && !(name === 'token' && hasFunds) && !isMet(name),
  )
  const ranked = Object.keys(factNames)
  const rank = (name: string) => (ranked.includes(name) ? ranked.indexOf(name) : ranked.length)
  return [
    ...toMissing(data, token),
    ...names.toSorted((a, b) => rank(a) - rank(b)).flatMap((name) => toFact(name, data, token, order)),
    ...toAuctions(data.auctions),
  ]
}

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
