import type { Address } from 'viem'

/** An owner and a token. */
export type Holding = { owner: Address; token: Address }

/** Map key of a holding. */
export const toHoldingKey = ({ owner, token }: Holding): string => `${owner}:${token}`
