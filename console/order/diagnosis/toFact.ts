import { formatAmount } from '../../ui/formatAmount.ts'
import { factNames } from './factNames.ts'

/** A figure of a diagnosis with its unit. */
export type DiagnosisFact = { label: string } & (
  | { kind: 'amount'; atoms: string; token: string }
  | { kind: 'price'; price: string }
  | { kind: 'address' | 'order' | 'transaction' | 'time' | 'text'; value: string }
)

/** Tokens of an order as its pages show them. */
export type ShownTokens = { sellToken: string; buyToken: string }

/** A price with its network fee is an offer after fees. */
const toLabel = (name: string, label: string, data: Record<string, unknown>): string =>
  name === 'marketPrice' && data.networkFee !== undefined ? 'Best quote after fees' : label

/** A figure by its name in the report; empty where the report has none. */
export const toFact = (
  name: string,
  data: Record<string, unknown>,
  token: string,
  order: ShownTokens,
): DiagnosisFact[] => {
  const value = data[name]
  if (value === null || value === undefined) return []
  const text = typeof value === 'string' ? value : Array.isArray(value) ? value.join(', ') : JSON.stringify(value)
  const [title, kind] = factNames[name] ?? [name, 'text']
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
