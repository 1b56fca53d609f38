import { client } from '../api/client.ts'
import { read } from '../api/read.ts'
import { type RequestState, useRequest } from '../api/useRequest.ts'
import type { NetworkName } from '../networks/NetworksProvider.tsx'
import type { Token } from './token.ts'
import { toSafeToken } from './toSafeToken.ts'

/** Tokens that the API lists on a network. */
export const useTokenList = (network: NetworkName): RequestState<Token[]> =>
  useRequest(`tokens:${network}`, async (signal) => {
    const tokens = await read(client.GET('/{network}/api/v1/tokens', { params: { path: { network } }, signal }))
    return tokens.map(toSafeToken)
  })
