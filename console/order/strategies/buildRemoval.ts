import { encodeFunctionData, type Hex, parseAbi } from 'viem'

const registryAbi = parseAbi(['function remove(bytes32 singleOrderHash)'])

/** Transaction by which the owner of a conditional order ends it: no part of it is valid afterwards. */
export const buildRemoval = (composableCow: string, hash: string): { to: string; data: string } => ({
  to: composableCow,
  data: encodeFunctionData({ abi: registryAbi, functionName: 'remove', args: [hash as Hex] }),
})
