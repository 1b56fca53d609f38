import type { Address } from 'viem'

/** Multicall3, at the same address on every chain that has it (https://www.multicall3.com). */
export const multicall3Address: Address = '0xca11bde05977b3631167028862be2a173976ca11'
