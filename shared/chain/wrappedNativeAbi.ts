import { parseAbi } from 'viem'

/** What the wrapped native token (WETH9) adds to ERC-20. */
export const wrappedNativeAbi = parseAbi(['function deposit() payable', 'function withdraw(uint256 amount)'])
