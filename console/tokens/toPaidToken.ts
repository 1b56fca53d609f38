import { nativeSentinel } from './nativeSentinel.ts'

type Contracts = { wrappedNative: string; ethFlow: string }

/** An order or a trade of one; an order that a contract placed names its user. */
export type Sale = { sellToken: string; onchainUser?: string | undefined } & (
  | { uid: string }
  | { orderUid: string }
  | { id: string }
)

/** `0x`, the digest of 32 bytes; then the owner of 20. */
const ownerAt = 2 + 64

/**
 * The token that the user of an order pays: the ETH-flow contract sells the wrapped native token for a user who paid the
 * native one. Every page shows an order's sell token by this rule.
 */
export const toPaidToken = ({ wrappedNative, ethFlow }: Contracts, sale: Sale): string => {
  const uid = 'uid' in sale ? sale.uid : 'id' in sale ? sale.id : sale.orderUid
  const isEthFlow = uid.slice(ownerAt, ownerAt + 40).toLowerCase() === ethFlow.slice(2).toLowerCase()
  return sale.sellToken === wrappedNative && (isEthFlow || sale.onchainUser !== undefined)
    ? nativeSentinel
    : sale.sellToken
}
