import { encodeFunctionData, maxUint256, parseAbi } from 'viem'

const approveAbi = parseAbi(['function approve(address spender, uint256 amount) returns (bool)'])

export type ApprovalSize = 'trade' | 'unlimited'

/** A buy order pays a little more or less with each new quote. */
const buyMarginPercent = 5n

/**
 * How much the vault relayer is to be allowed.
 * @param needed sell token atoms that the order may take
 */
export const computeApproval = (size: ApprovalSize, kind: 'sell' | 'buy', needed: bigint): bigint => {
  if (size === 'unlimited') return maxUint256
  return kind === 'sell' ? needed : needed + (needed * buyMarginPercent) / 100n
}

/** The call that an owner sends to the token. */
export const encodeApproval = (vaultRelayer: string, amount: bigint): string =>
  encodeFunctionData({ abi: approveAbi, functionName: 'approve', args: [vaultRelayer as `0x${string}`, amount] })
