import type { Address } from 'viem'

/** An address as it is inside the service: in lower case. */
export const toLowerAddress = (address: Address): Address => address.toLowerCase() as Address
