import type { Address } from 'viem'

/** Whose balance of which token. */
export type Holding = { owner: Address; token: Address }

/** Names a holding in maps. */
export const toHoldingKey = ({ owner, token }: Holding): string => `${owner}:${token}`
