import { parseAbi } from 'viem'

/** The Multicall3 functions that are called directly; viem's `multicall` has its own ABI. */
export const multicall3Abi = parseAbi(['function getEthBalance(address account) view returns (uint256)'])
