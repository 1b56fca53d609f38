import type { Address } from 'viem'

/** Map key of an owner's holding of a token. */
export const toOwnerTokenKey = (owner: Address, token: Address): string => `${owner}${token.slice(2)}`
