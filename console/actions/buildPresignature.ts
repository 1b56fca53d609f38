import { encodeFunctionData, type Hex, parseAbi } from 'viem'

const settlementAbi = parseAbi(['function setPreSignature(bytes orderUid, bool signed)'])

/** Transaction by which the owner of an order signs it. */
export const buildPresignature = (settlementContract: string, uid: string): { to: string; data: string } => ({
  to: settlementContract,
  data: encodeFunctionData({ abi: settlementAbi, functionName: 'setPreSignature', args: [uid as Hex, true] }),
})
