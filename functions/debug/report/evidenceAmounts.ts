import type { Rounding } from '#shared/amounts/toHumanAmount.ts'
import type { JsonObject } from '#shared/jsonObject.ts'
import { describeAmounts } from '#shared/tokens/tokenWords.ts'
import { toCauseToken, type Words } from './evidenceTokens.ts'

/** An amount of a cause as sentences name it; undefined when it was not recorded. */
export const toAmount = (amount: unknown, data: JsonObject, words: Words, rounding?: Rounding): string | undefined =>
  typeof amount === 'string' ? describeAmounts([amount], toCauseToken(data, words), words.find, rounding) : undefined

/** ": 1 of 2 DAI": the available and the needed amount; empty when they were not recorded. */
export const toShare = (data: JsonObject, words: Words): string => {
  const { available, needed } = data
  if (typeof available !== 'string' || typeof needed !== 'string') return ''
  return `: ${describeAmounts([available, needed], toCauseToken(data, words), words.find)}`
}

/** The amount that an owner lacks, rounded up, so that it suffices. */
export const toShortfall = (data: JsonObject, words: Words): string => {
  const { available, needed } = data
  if (typeof available !== 'string' || typeof needed !== 'string') return 'more of the sell token'
  return `another ${toAmount((BigInt(needed) - BigInt(available)).toString(), data, words, 'up')}`
}
