import { client } from '../api/client.ts'
import type { paths } from '../api/openapi.d.ts'
import { read } from '../api/read.ts'
import { createTokenBook } from './createTokenBook.ts'
import type { Token } from './token.ts'
import { toSafeToken } from './toSafeToken.ts'

type ChainId = paths['/{chainId}/tokens/details']['post']['parameters']['path']['chainId']

const requestTokens = (chainId: number, tokenAddresses: string[]): Promise<Token[]> =>
  read(
    client.POST('/{chainId}/tokens/details', {
      params: { path: { chainId: String(chainId) as ChainId } },
      body: { tokenAddresses },
    }),
  ).then(
    (tokens) => tokens.map(toSafeToken),
    () => [],
  )

/** Metadata from a token's contract; see `createTokenBook`. */
export const findToken = createTokenBook(requestTokens)
