import { type Address, type Hex, zeroAddress } from 'viem'
import type { BundleLog } from './simulateBundle.ts'

const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/**
 * `Deposit(address,uint256)` and `Withdrawal(address,uint256)` of the wrapped native token, which emits no `Transfer`
 * for them
 */
const depositTopic = '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c'

const withdrawalTopic = '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65'

type Move = { from: Address; to: Address; amount: bigint }

/** Reads the movement of a token from its event; undefined for other events. */
export const readMove = ({ address, topics, data }: BundleLog, wrappedNative: Address): Move | undefined => {
  if (data.length !== 66) return undefined
  const [topic, first, second] = topics
  const amount = BigInt(data)
  if (topic === transferTopic && first && second && topics.length === 3)
    return { from: toAddress(first), to: toAddress(second), amount }
  if (address !== wrappedNative || !first) return undefined
  if (topic === depositTopic) return { from: zeroAddress, to: toAddress(first), amount }
  if (topic === withdrawalTopic) return { from: toAddress(first), to: zeroAddress, amount }
  return undefined
}

const toAddress = (topic: Hex): Address => `0x${topic.slice(26).toLowerCase()}`
