import type { Address } from 'viem'
import type { JsonObject } from '#shared/jsonObject.ts'
import { describeToken, type FindToken } from '#shared/tokens/tokenWords.ts'

/** The order's tokens and their known facts, as the sentences name them. */
export type Words = { sellToken: Address; buyToken: Address; find: FindToken }

const addressPattern = /^0x[0-9a-f]{40}$/

/** The token that amounts of a cause are in: the named one, else the sell token. */
export const toCauseToken = ({ token }: JsonObject, { sellToken }: Words): Address =>
  typeof token === 'string' && addressPattern.test(token) ? (token as Address) : sellToken

/** The token of a cause as sentences name it. */
export const toToken = (data: JsonObject, { find }: Words): string =>
  typeof data.token === 'string' && addressPattern.test(data.token)
    ? describeToken(data.token as Address, find)
    : 'it trades'
