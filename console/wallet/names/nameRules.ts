/** Networks with ENS: mainnet, sepolia. */
const namedChains: readonly number[] = [1, 11_155_111]

export const hasNames = (chainId: number): boolean => namedChains.includes(chainId)

/** `alice.eth`: two labels or more. */
export const isName = (text: string): boolean => /^[^\s.]+(\.[^\s.]+)+$/.test(text)
