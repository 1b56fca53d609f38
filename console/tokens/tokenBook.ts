import { read } from '../api/ApiFailure.ts'
import { client } from '../api/client.ts'
import type { components, paths } from '../api/openapi.d.ts'

export type Token = components['schemas']['TokenDetails']

type ChainId = paths['/{chainId}/tokens/details']['post']['parameters']['path']['chainId']

const maxTokensOfRequest = 100
/** Milliseconds that a question waits for others of the same page. */
const gatherMs = 10

type Waiting = Map<string, ((token: Token | undefined) => void)[]>

const known = new Map<string, Promise<Token | undefined>>()
const waiting = new Map<number, Waiting>()

/**
 * What a token says about itself, asked for once; all tokens of a page are one request.
 * @param address lower case
 * @returns undefined for what is no token, or when nobody can say; then the next question asks again
 */
export const findToken = (chainId: number, address: string): Promise<Token | undefined> => {
  const key = `${chainId}:${address}`
  const found = known.get(key) ?? enqueue(chainId, address)
  known.set(key, found)
  return found
}

const enqueue = (chainId: number, address: string): Promise<Token | undefined> =>
  new Promise((resolve) => {
    const queue: Waiting = waiting.get(chainId) ?? new Map()
    if (!waiting.has(chainId)) setTimeout(() => void ask(chainId), gatherMs)
    waiting.set(chainId, queue)
    queue.set(address, [...(queue.get(address) ?? []), resolve])
  })

const ask = async (chainId: number): Promise<void> => {
  const queue = [...(waiting.get(chainId) ?? [])]
  waiting.delete(chainId)
  for (let i = 0; i < queue.length; i += maxTokensOfRequest) {
    const part = queue.slice(i, i + maxTokensOfRequest)
    const tokens = await askFor(
      chainId,
      part.map(([address]) => address),
    )
    for (const [address, resolves] of part) {
      const token = tokens.find((candidate) => candidate.address === address)
      if (!token) known.delete(`${chainId}:${address}`)
      for (const resolve of resolves) resolve(token)
    }
  }
}

const askFor = (chainId: number, tokenAddresses: string[]): Promise<Token[]> =>
  read(
    client.POST('/{chainId}/tokens/details', {
      params: { path: { chainId: String(chainId) as ChainId } },
      body: { tokenAddresses },
    }),
  ).catch(() => [])
