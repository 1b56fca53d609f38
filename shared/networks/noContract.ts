import type { Address } from 'viem'

/** Stands for an optional contract that a network lacks. */
export const noContract: Address = `0x${'00'.repeat(20)}`
