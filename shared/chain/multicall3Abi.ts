import { parseAbi } from 'viem'

/** Multicall3, as far as it is called directly; viem's `multicall` has its own. */
export const multicall3Abi = parseAbi(['function getEthBalance(address account) view returns (uint256)'])
