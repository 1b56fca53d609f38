/** The target of a search; `hint` explains a missing one. `network` comes from a pasted link of this console. */
export type SearchTarget =
  | { kind: 'order' | 'transaction' | 'account' | 'auction'; id: string; network?: string }
  | { kind: 'nothing'; hint: string }

/** Hex digits of each kind of id. */
export const searchKinds = [
  { digits: 112, kind: 'order', name: 'an order' },
  { digits: 64, kind: 'transaction', name: 'a transaction' },
  { digits: 40, kind: 'account', name: 'an account' },
] as const

/** Expected input of a search. */
export const searchHint =
  'Search for an order (0x and 112 hex digits), a transaction (64), an account (40) or an auction (its number).'
