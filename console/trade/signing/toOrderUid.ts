import { concat, type Hex, hashTypedData, numberToHex } from 'viem'
import type { OrderTypedData } from './buildOrder.ts'

/** UID of an order: EIP-712 digest, owner, validTo as uint32. Known even without a response. */
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
