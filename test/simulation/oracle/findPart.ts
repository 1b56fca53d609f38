import { decodeFunctionResult, encodeFunctionData, type Hex } from 'viem'
import { composableCowAbi } from '#shared/strategies/composableCowAbi.ts'
import { type EncodedOrder, hashEncoded } from '../chain/contracts/strategies/composableCowCode.ts'
import { decodeTwapInput } from '../chain/contracts/strategies/twapCode.ts'
import type { Block } from '../chain/createChain.ts'
import { domainSeparator, network } from '../market.ts'
import type { Strategy, World } from '../world.ts'

/** A part that the registry returns, with its first second. */
export type ChainPart = { uid: Hex; order: EncodedOrder; from: number }

const gas = 1_000_000n
const functionName = 'getTradeableOrderWithSignature'

/** The part of a conditional order that the registry returns after a block; undefined without one. */
export const findPart = (
  { chain }: Pick<World, 'chain'>,
  { owner, params }: Strategy,
  block: Block,
): ChainPart | undefined => {
  const call = { abi: composableCowAbi, functionName, args: [owner, params, '0x', []] } as const
  const message = { from: owner, to: network.composableCow, data: encodeFunctionData(call), gas }
  const { succeeded, returnData } = chain.callAt(block, message)
  if (!succeeded) return undefined
  const [order] = decodeFunctionResult({ abi: composableCowAbi, functionName, data: returnData })
  const { t, span } = decodeTwapInput(params.staticInput)
  const from = order.validTo + 1 - Number(span || t)
  const uid: Hex = `${hashEncoded(order, domainSeparator)}${owner.slice(2)}${order.validTo.toString(16).padStart(8, '0')}`
  // calls see the second after the block
  return from > block.timestamp ? undefined : { uid, order, from }
}
