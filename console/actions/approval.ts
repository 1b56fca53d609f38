import { encodeFunctionData, maxUint256, parseAbi } from 'viem'

const approveAbi = parseAbi(['function approve(address spender, uint256 amount) returns (bool)'])

export type ApprovalSize = 'trade' | 'unlimited'

/** Margin, since the amount of a buy order changes slightly with each quote. */
const buyMarginPercent = 5n

/**
 * Allowance to approve for the vault relayer.
 * @param needed sell token atoms that the order may take
 */
export const computeApproval = (size: ApprovalSize, kind: 'sell' | 'buy', needed: bigint): bigint => {
  if (size === 'unlimited') return maxUint256
  return kind === 'sell' ? needed : needed + (needed * buyMarginPercent) / 100n
}

/** Calldata of an owner's approval. */
export const encodeApproval = (vaultRelayer: string, amount: bigint): string =>
  encodeFunctionData({ abi: approveAbi, functionName: 'approve', args: [vaultRelayer as `0x${string}`, amount] })
