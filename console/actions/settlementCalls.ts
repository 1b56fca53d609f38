import { encodeFunctionData, type Hex, parseAbi } from 'viem'

const settlementAbi = parseAbi([
  'function setPreSignature(bytes orderUid, bool signed)',
  'function invalidateOrder(bytes orderUid)',
])

type SettlementCall = { to: string; data: string }

/** Transaction by which the owner of an order signs it. */
export const buildPresignature = (settlementContract: string, uid: string): SettlementCall => ({
  to: settlementContract,
  data: encodeFunctionData({ abi: settlementAbi, functionName: 'setPreSignature', args: [uid as Hex, true] }),
})

/** Transaction by which the owner of an order ends it for good, whatever its signing scheme. */
export const buildInvalidation = (settlementContract: string, uid: string): SettlementCall => ({
  to: settlementContract,
  data: encodeFunctionData({ abi: settlementAbi, functionName: 'invalidateOrder', args: [uid as Hex] }),
})
