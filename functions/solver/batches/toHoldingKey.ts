import type { Address } from 'viem'

/** Names what an owner holds of a token. */
export const toHoldingKey = (owner: Address, token: Address): string => `${owner}${token.slice(2)}`
