import { bytesToHex, type Hex } from 'viem'
import { type ConditionalParams, hashParams } from '../../../shared/strategies/hashParams.ts'
import { publicContracts } from '../../../shared/strategies/publicContracts.ts'
import { encodeTwap, type Twap } from '../../../shared/strategies/twap.ts'
import type { Amounts } from '../draft/computeLimit.ts'
import type { Draft } from '../draft/draft.ts'
import { appDataHash } from '../signing/buildOrder.ts'
import type { TwapTerms } from './twapTerms.ts'

/** A TWAP to create: its terms, and the parameters that the registry stores. */
export type NewTwap = { twap: Twap; params: ConditionalParams; hash: Hex }

type Facts = {
  draft: Draft
  terms: TwapTerms
  /** of each part */
  signed: Amounts
  owner: string
}

/** It starts with the block that creates it, and each part is valid until the next one. The salt makes equal ones distinct. */
export const buildTwap = ({ draft: { sell, buy, receiver }, terms, signed, owner }: Facts): NewTwap | undefined => {
  if (!sell || !buy || terms.parts === undefined) return undefined
  const twap: Twap = {
    sellToken: sell.address as Hex,
    buyToken: buy.address as Hex,
    receiver: (receiver ?? owner) as Hex,
    partSellAmount: signed.sellAmount,
    minPartLimit: signed.buyAmount,
    t0: 0n,
    n: BigInt(terms.parts),
    t: BigInt(terms.every),
    span: 0n,
    appData: appDataHash,
  }
  const salt = bytesToHex(crypto.getRandomValues(new Uint8Array(32)))
  const params = { handler: publicContracts.twap, salt, staticInput: encodeTwap(twap) }
  return { twap, params, hash: hashParams(params) }
}

/** Share of a part that its network cost may take: 1 ÷ 20. */
const costDivisor = 20n

/** Least sell amount of a part, atoms. @param networkCost of a part, sell token atoms */
export const computeMinimumPart = (networkCost: bigint): bigint => networkCost * costDivisor
