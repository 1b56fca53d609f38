import type { Stamp } from './buildStamp.ts'

/** The header of a signed request without a body. */
export const formatAuthorization = (chainId: number, { nonce, deadline }: Stamp, signature: string): string =>
  `EIP712 chainId=${chainId}, nonce=${nonce}, deadline=${deadline}, signature=${signature}`
