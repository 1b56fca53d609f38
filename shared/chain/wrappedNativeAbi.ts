import { parseAbi } from 'viem'

/** The functions of the wrapped native token (WETH9) beyond ERC-20. */
export const wrappedNativeAbi = parseAbi(['function deposit() payable', 'function withdraw(uint256 amount)'])
