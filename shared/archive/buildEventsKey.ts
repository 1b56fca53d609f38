import type { Hex } from 'viem'

/**
 * Key of the archive object with events of orders.
 * @param part hash of its text, 8 bytes
 */
export const buildEventsKey = (chainId: number, part: Hex): string => `events/${chainId}/${part.slice(2)}.jsonl.gz`
