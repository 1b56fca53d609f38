import { concat, type Hex, hashTypedData, numberToHex } from 'viem'
import type { OrderTypedData } from './buildOrder.ts'

/** The UID that an order will have: EIP-712 digest, owner, validTo as uint32. So it is known without an answer, too. */
export const toOrderUid = ({ domain, types, message }: OrderTypedData, owner: string): string => {
  const digest = hashTypedData({
    domain: { ...domain, verifyingContract: domain.verifyingContract as Hex },
    types: { Order: types.Order },
    primaryType: 'Order',
    message: {
      ...message,
      sellAmount: BigInt(message.sellAmount),
      buyAmount: BigInt(message.buyAmount),
      feeAmount: 0n,
    },
  })
  return concat([digest, owner as Hex, numberToHex(message.validTo, { size: 4 })])
}
