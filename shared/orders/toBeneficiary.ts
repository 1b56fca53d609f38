import { type Address, zeroAddress } from 'viem'

/** Recipient of an order's buy tokens: the owner unless the order names another account. */
export const toBeneficiary = ({ owner, receiver }: { owner: Address; receiver: Address | null }): Address =>
  receiver === null || receiver === zeroAddress ? owner : receiver
