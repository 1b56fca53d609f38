import type { Hex } from 'viem'
import type { Receipt } from '../chain/createChain.ts'

/** hex digits of a settlement with an auction id, modulo a word: `0x`, the selector, and 8 bytes after whole words */
const digits = 2 + 8 + 16

/** The call of a settlement, and the id of its auction, which solvers append as 8 bytes. */
export const splitCalldata = (data: Hex): { call: Hex; auctionId: bigint | undefined } =>
  data.length % 64 === digits
    ? { call: data.slice(0, -16) as Hex, auctionId: BigInt(`0x${data.slice(-16)}`) }
    : { call: data, auctionId: undefined }

/** The auction that an event's settlement belongs to. */
export const readAuctionId = ({ receipt }: { receipt: Receipt }): bigint | undefined =>
  splitCalldata(receipt.transaction.data).auctionId
